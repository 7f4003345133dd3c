/**
 * Settings of a dev chain: a network's, with blocks, time and state under its owner's control. Its blocks are valid
 * only with these settings, which no other network uses.
 */
import { equalBytes } from "../crypto/bytes.ts";
import { devChainNameOf } from "./dev-chain-name.ts";
import { namedNetworks } from "./named-networks.ts";
import type { NetworkSettings } from "./settings.ts";
import { NetworkSettingsError } from "./settings-error.ts";

/** Value of the binding `DEV_CHAIN` that makes the chain a dev chain. */
export const DEV_CHAIN_ON = "on";

/** Latest time of a dev chain's clock: the end of the year 9999. */
export const LAST_TIME_MS = 253_402_300_799_999;

/**
 * Latest time to which the clock can be set: the end of the year 9998. The last year is reserved for further blocks.
 */
export const LAST_CHOSEN_TIME_MS = LAST_TIME_MS - 365 * 24 * 3_600_000;

/** A hundred years: clients stamp transactions with their own clock, which may be far from the chain's. */
const CENTURY_MS = 100n * 365n * 24n * 3_600_000n;

/**
 * Difficulty of the genesis block. It is so low that every generator may forge at once, whatever its balance. With a
 * network's own difficulty even the richest generators forge seconds apart, and each block would advance the chain's
 * clock by as much.
 */
const INITIAL_BASE_TARGET = 10n ** 15n;

/**
 * @returns settings of the network's dev chain; its genesis block has the same transactions, and another base target
 * @throws NetworkSettingsError for a public network
 */
export function devSettings(network: NetworkSettings): NetworkSettings {
  const name = publicNetworkOf(network);
  if (name !== undefined)
    throw new NetworkSettingsError({ path: "NETWORK", got: name, expected: "a network that may be a dev chain" });
  const { blockchain, node } = network;
  return {
    ...network,
    isDevChain: true,
    networkBlockDelayMs: blockchain.genesis.averageBlockDelayMs,
    blockchain: {
      ...blockchain,
      functionality: {
        ...blockchain.functionality,
        // The next block is valid as soon as the generator's hit allows it.
        minBlockTimeMs: 0,
        maxTransactionTimeBackOffsetMs: CENTURY_MS,
        maxTransactionTimeForwardOffsetMs: CENTURY_MS,
      },
      // With an average delay of 0 no block is too early: the base target never falls, and delays stay short.
      genesis: {
        ...blockchain.genesis,
        averageBlockDelayMs: 0,
        initialBaseTarget: INITIAL_BASE_TARGET,
        signature: undefined,
        devChain: devChainNameOf(blockchain),
      },
    },
    node: {
      ...node,
      miner: {
        ...node.miner,
        quorum: 0,
        minMicroBlockAgeMs: 0,
        intervalAfterLastBlockThenGenerationIsAllowedMs: Number(CENTURY_MS),
      },
    },
  };
}

/** The public network with the same genesis transactions and time, under any name and signature. */
export function publicNetworkOf({ blockchain: { genesis } }: NetworkSettings): string | undefined {
  return (["mainnet", "testnet", "stagenet"] as const).find((name) => {
    const { blockTimestampMs, transactions } = namedNetworks[name].blockchain.genesis;
    return (
      blockTimestampMs === genesis.blockTimestampMs &&
      transactions.length === genesis.transactions.length &&
      transactions.every(({ recipient, amount }, at) => {
        const other = genesis.transactions[at];
        return other !== undefined && amount === other.amount && equalBytes(recipient, other.recipient);
      })
    );
  });
}

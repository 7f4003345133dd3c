/**
 * The settings of a dev chain: a network's, but that its owner controls blocks, time and state. Blocks are valid by these
 * settings; nobody else runs a network with them.
 */
import { equalBytes } from "../crypto/bytes.ts";
import { devChainNameOf } from "./dev-chain-name.ts";
import { namedNetworks } from "./named-networks.ts";
import type { NetworkSettings } from "./settings.ts";
import { NetworkSettingsError } from "./settings-error.ts";

/** Value of the binding `DEV_CHAIN` that makes a chain one. */
export const DEV_CHAIN_ON = "on";

/** What the clock of a dev chain shows at most: the end of the year 9999. */
export const LAST_TIME_MS = 253_402_300_799_999;

/** To what it may be put forward: the end of the year 9998. The last year is left for blocks to come. */
export const LAST_CHOSEN_TIME_MS = LAST_TIME_MS - 365 * 24 * 3_600_000;

/** A hundred years: clients stamp transactions with their own clock, whatever that of the chain shows. */
const CENTURY_MS = 100n * 365n * 24n * 3_600_000n;

/**
 * Difficulty of the genesis block. By it every generator has its turn at once, whatever its balance: by a network's own, the
 * turns of the richest come seconds apart, and the chain's clock would run ahead by as much with each block.
 */
const INITIAL_BASE_TARGET = 10n ** 15n;

/**
 * @returns the settings of the network's dev chain; its genesis block has the same transactions, and another base target
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
        // The next block is valid as soon as the draw lets its generator.
        minBlockTimeMs: 0,
        maxTransactionTimeBackOffsetMs: CENTURY_MS,
        maxTransactionTimeForwardOffsetMs: CENTURY_MS,
      },
      // No pace is too fast: the base target never falls, so that delays stay as short as they are.
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

/** The public network that begins with the same transactions at the same time, under whatever name and signature. */
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

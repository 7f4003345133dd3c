/**
 * The settings of a dev chain: a network's, but that its owner controls blocks, time and state. Blocks are valid by these
 * settings; nobody else runs a network with them.
 */
import { equalBytes } from "../crypto/bytes.ts";
import { namedNetworks } from "./named-networks.ts";
import type { NetworkSettings } from "./settings.ts";
import { NetworkSettingsError } from "./settings-error.ts";

/** Value of the binding `DEV_CHAIN` that makes a chain one. */
export const DEV_CHAIN_ON = "on";

/** A hundred years: clients stamp transactions with their own clock, whatever that of the chain shows. */
const CENTURY_MS = 100n * 365n * 24n * 3_600_000n;

/**
 * @returns the settings of the network's dev chain; its genesis block is the same
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
      genesis: { ...blockchain.genesis, averageBlockDelayMs: 0 },
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

/** The public network that begins with the same block. */
function publicNetworkOf({ blockchain: { genesis } }: NetworkSettings): string | undefined {
  return (["mainnet", "testnet", "stagenet"] as const).find((name) => {
    const { signature } = namedNetworks[name].blockchain.genesis;
    return signature === undefined || genesis.signature === undefined || equalBytes(signature, genesis.signature);
  });
}

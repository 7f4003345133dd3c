/**
 * Settings of a fork: those of the remote network as far as they are known, with the features that are decided there,
 * and its own genesis. Its blocks therefore belong to no other network, and any network can be the remote one of a dev
 * chain.
 */
import { decodeBase58 } from "../crypto/base58.ts";
import type { Address } from "../crypto/identities.ts";
import { devChainName } from "./dev-chain-name.ts";
import { devSettings } from "./dev-settings.ts";
import type { ForkSource } from "./fork-source.ts";
import { privateNetwork } from "./networks/private.ts";
import type { BlockchainSettings, NetworkSettings } from "./settings.ts";

/** Seed of the fork's own account: public, and of no account with money elsewhere. */
export const forkWalletSeedText = "waves fork seed with waves tokens of its own";

/**
 * @returns settings of a dev chain
 * @param network the remote network if it is known by name, otherwise one whose limits are used in its place
 */
export function forkSettings(network: NetworkSettings, source: ForkSource): NetworkSettings {
  const { node } = privateNetwork;
  const { functionality, rewards } = isPublic(network) ? network.blockchain : withPeriods(network.blockchain, source);
  const { genesis } = network.blockchain;
  const dev = devSettings({
    name: `fork of ${network.name}`,
    blockchain: {
      chainId: source.chainId,
      schemeCharacter: String.fromCharCode(source.chainId),
      functionality: { ...functionality, preActivatedFeatures: new Map(source.features) },
      rewards,
      // The remote network's first block is not part of this chain.
      genesis: { ...genesis, blockTimestampMs: BigInt(source.genesis.timestampMs), transactions: [] },
    },
    // State hashes of the older kind start at a genesis block that a fork does not have.
    node: { ...node, desiredReward: undefined, supportedFeatures: [], storeStateHashes: false },
  });
  return {
    ...dev,
    blockchain: {
      ...dev.blockchain,
      genesis: {
        ...dev.blockchain.genesis,
        timestampMs: BigInt(source.genesis.timestampMs),
        devChain: forkName(source),
        // The header of the genesis block is printed, and the state hash of the first block depends on these
        // transactions.
        transactions: source.genesis.transactions.map(({ recipient, amount }) => ({
          recipient: addressOf(recipient),
          amount: BigInt(amount),
        })),
      },
    },
  };
}

function isPublic({ name }: NetworkSettings): boolean {
  return name === "mainnet" || name === "testnet" || name === "stagenet";
}

/** The settings with the values that the remote node reports. */
function withPeriods({ functionality, rewards }: BlockchainSettings, { periods }: ForkSource) {
  const { featureVotes, featureThreshold, reward } = periods;
  const voting = { featureCheckBlocksPeriod: featureVotes, blocksForFeatureActivation: featureThreshold };
  if (reward === null) return { functionality: { ...functionality, ...voting }, rewards };
  const { term, votes, minIncrement, daoAddress, xtnBuybackAddress } = reward;
  return {
    functionality: {
      ...functionality,
      ...voting,
      daoAddress: daoAddress === null ? undefined : addressOf(daoAddress),
      xtnBuybackAddress: xtnBuybackAddress === null ? undefined : addressOf(xtnBuybackAddress),
    },
    rewards: {
      ...rewards,
      term,
      termAfterCappedRewardFeature: term,
      votingInterval: votes,
      minIncrement: BigInt(minIncrement),
    },
  };
}

function addressOf(base58: string): Address {
  return decodeBase58(base58) as Uint8Array as Address;
}

/** Name of a fork, unique by the block that it continues. */
function forkName({ chainId, height, blockId }: ForkSource): string {
  return devChainName(["fork", chainId, height, blockId]);
}

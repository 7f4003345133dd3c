/**
 * The settings of a fork: those of the network behind it as far as they are known, with the features that are decided there,
 * and a genesis of its own. So its blocks are none of that network's, and it may be a dev chain whatever network that is.
 */
import { decodeBase58 } from "../crypto/base58.ts";
import type { Address } from "../crypto/identities.ts";
import { devChainName } from "./dev-chain-name.ts";
import { devSettings } from "./dev-settings.ts";
import type { ForkSource } from "./fork-source.ts";
import { privateNetwork } from "./networks/private.ts";
import type { BlockchainSettings, NetworkSettings } from "./settings.ts";

/** The seed of a fork's own account, which is known to everybody, and has no other account's money. */
export const forkWalletSeedText = "waves fork seed with waves tokens of its own";

/**
 * @returns settings of a dev chain
 * @param network the one behind the fork where it is known by name, or one whose limits are taken for its own
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
      // That network's first block is none of this chain's.
      genesis: { ...genesis, blockTimestampMs: BigInt(source.genesis.timestampMs), transactions: [] },
    },
    // State hashes of the older kind go back to a genesis block that is not here.
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
        // Its header is shown, and says by them what the state hash of its first block is.
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

/** The settings with what the network says of itself. */
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

/** A fork is told from others by the block that it goes on from. */
function forkName({ chainId, height, blockId }: ForkSource): string {
  return devChainName(["fork", chainId, height, blockId]);
}

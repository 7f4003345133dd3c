/**
 * The private chain for development: settings, keys and genesis of the `wavesplatform/waves-private-node` image, with
 * all features active from the start.
 * @source docs/protocol/consensus-and-finality.md 1, 2 for the meaning of each setting
 */
import { decodeBase58 } from "../../crypto/base58.ts";
import type { Address, Signature } from "../../crypto/identities.ts";
import { functionalityDefaults, nodeDefaults } from "../defaults.ts";
import { Feature, type FeatureId } from "../features.ts";
import type { NetworkSettings } from "../settings.ts";

const featureCheckBlocksPeriod = 5;
/** The whole supply of 100,000,000 WAVES, in wavelets. */
const supply = 10_000_000_000_000_000n;
const masterAddress = decodeBase58("3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF") as Address;

/** Activation height of each feature. */
function preActivatedFeatures(): ReadonlyMap<number, number> {
  const heights = new Map<number, number>();
  for (let feature: FeatureId | number = 1; feature <= Feature.DeterministicFinality; feature++)
    heights.set(feature, 0);
  // Fees are sponsored one voting window after this height, which makes it the start of the chain.
  heights.set(Feature.FeeSponsorship, -featureCheckBlocksPeriod);
  heights.set(Feature.BlockReward, 1);
  return heights;
}

export const privateNetwork: NetworkSettings = {
  name: "private",
  blockchain: {
    schemeCharacter: "R",
    chainId: 0x52,
    functionality: {
      ...functionalityDefaults,
      featureCheckBlocksPeriod,
      blocksForFeatureActivation: 5,
      preActivatedFeatures: preActivatedFeatures(),
      doubleFeaturesPeriodsAfterHeight: 1_000_000_000,
      resetEffectiveBalancesAtHeight: 1,
      minAssetInfoUpdateInterval: 2,
      minBlockTimeMs: 5_000,
      lightNodeBlockFieldsAbsenceInterval: 0,
    },
    rewards: {
      term: 6,
      termAfterCappedRewardFeature: 3,
      initial: 600_000_000n,
      minIncrement: 50_000_000n,
      votingInterval: 3,
    },
    genesis: {
      blockTimestampMs: 1_566_817_216_027n,
      timestampMs: 1_566_817_216_027n,
      initialBalance: supply,
      initialBaseTarget: 1_240n,
      averageBlockDelayMs: 10_000,
      signature: decodeBase58(
        "4WNhR15xizRv3uYwaXgtMzuvQ8ukKKimoDSp19ms3W3UU9XHgFo8q5jgcnWYKkJ7qtam9g5i5kLr6g38iJe8Fdgh",
      ) as Signature,
      transactions: [{ recipient: masterAddress, amount: supply }],
    },
  },
  node: {
    ...nodeDefaults,
    apiKeyHash: "BNejVjPAWUrXJTqNrTboGPENAJt9PXnmfdtBgMSgs1u3",
    minimumPeers: 0,
    miner: {
      enable: true,
      quorum: 0,
      intervalAfterLastBlockThenGenerationIsAllowedMs: 99_999 * 86_400_000,
      maxTransactionsInMicroBlock: 500,
      microBlockIntervalMs: 1_500,
      minMicroBlockAgeMs: 0,
    },
    desiredReward: 575_000_000n,
    // Developers' tools compare chains by state hashes.
    storeStateHashes: true,
    storeSnapshots: true,
  },
};

/** Published with the image, so not secret: defaults of the private network, and of no other. */
export const privateNetworkSecrets = {
  /** Seed of the master account, which owns the whole supply. */
  walletSeedText: "waves private node seed with waves tokens",
  walletSeed: new TextEncoder().encode("waves private node seed with waves tokens"),
  apiKey: "waves-private-node",
  /** Base58 of the secure hash of the API key. */
  apiKeyHash: privateNetwork.node.apiKeyHash,
} as const;

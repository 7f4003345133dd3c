/**
 * The staging network, for the first trial of features.
 * @source docs/protocol/consensus-and-finality.md 1.1, 2; Waves: settings/BlockchainSettings.scala;
 * gowaves: settings/embedded
 */
import { decodeBase58 } from "../../crypto/base58.ts";
import type { Address, Signature } from "../../crypto/identities.ts";
import { functionalityDefaults, nodeDefaults, rewardsDefaults } from "../defaults.ts";
import type { NetworkSettings } from "../settings.ts";

const address = (text: string): Address => decodeBase58(text) as Address;
/** One WAVES, in wavelets. */
const waves = 100_000_000n;

/** Features 1 to 13 are active from the start. */
const preActivatedFeatures: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 13 }, (_, index) => [index + 1, 0]),
);

export const stagenet: NetworkSettings = {
  name: "stagenet",
  node: { ...nodeDefaults, peers: { ...nodeDefaults.peers, knownPeers: ["peers-stagenet.wavesnodes.com:6868"] } },
  blockchain: {
    schemeCharacter: "S",
    chainId: 0x53,
    functionality: {
      ...functionalityDefaults,
      featureCheckBlocksPeriod: 100,
      blocksForFeatureActivation: 40,
      preActivatedFeatures,
      doubleFeaturesPeriodsAfterHeight: 1_000_000_000,
      minAssetInfoUpdateInterval: 10,
      estimationOverflowFixHeight: 1_078_680,
      estimatorSumOverflowFixHeight: 1_097_419,
      ethInvokePaymentsCheckHeight: 1_311_110,
      paymentsCheckHeight: 2_195_900,
      daoAddress: address("3MaFVH1vTv18FjBRugSRebx259D7xtRh9ic"),
      xtnBuybackAddress: address("3MbhiRiLFLJ1EVKNP9npRszcLLQDjwnFfZM"),
      xtnBuybackRewardPeriod: 1_000,
      blockRewardBoostPeriod: 1_000,
      generationPeriodLength: 1_000,
      maxValidEndorsements: 32,
    },
    rewards: rewardsDefaults,
    genesis: {
      blockTimestampMs: 1_561_705_836_768n,
      timestampMs: 1_561_705_836_768n,
      initialBalance: 100_000_000n * waves,
      initialBaseTarget: 5_000n,
      averageBlockDelayMs: 60_000,
      signature: decodeBase58(
        "2EaaguFPgrJ1bbMAFrPw2bi6i7kqjgvxsFj8YGqrKR7hT54ZvwmzZ3LHMm4qR7i7QB5cacp8XdkLMJyvjFkt8VgN",
      ) as Signature,
      transactions: [{ recipient: address("3Mi63XiwniEj6mTC557pxdRDddtpj7fZMMw"), amount: 100_000_000n * waves }],
    },
  },
};

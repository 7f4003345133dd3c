/**
 * The public test network.
 * @source docs/protocol/consensus-and-finality.md 1.1, 2; Waves: settings/BlockchainSettings.scala;
 *   gowaves: settings/embedded
 */
import { decodeBase58 } from "../../crypto/base58.ts";
import type { Address, Signature } from "../../crypto/identities.ts";
import { functionalityDefaults, nodeDefaults, rewardsDefaults } from "../defaults.ts";
import type { NetworkSettings } from "../settings.ts";

const address = (text: string): Address => decodeBase58(text) as Address;
/** One WAVES, in wavelets. */
const waves = 100_000_000n;

export const testnet: NetworkSettings = {
  name: "testnet",
  node: { ...nodeDefaults, peers: { ...nodeDefaults.peers, knownPeers: ["peers-testnet.wavesnodes.com:6868"] } },
  blockchain: {
    schemeCharacter: "T",
    chainId: 0x54,
    functionality: {
      ...functionalityDefaults,
      featureCheckBlocksPeriod: 3_000,
      blocksForFeatureActivation: 2_700,
      blockVersion3AfterHeight: 161_700,
      // 19 April 2017
      lastTimeBasedForkParameter: 1_492_560_000_000n,
      resetEffectiveBalancesAtHeight: 51_500,
      estimatorPreCheckHeight: 817_380,
      estimationOverflowFixHeight: 1_793_770,
      estimatorSumOverflowFixHeight: 1_832_520,
      enforceTransferValidationAfter: 1_698_800,
      daoAddress: address("3Myb6G8DkdBb8YcZzhrky65HrmiNuac3kvS"),
      xtnBuybackAddress: address("3N13KQpdY3UU7JkWUBD9kN7t7xuUgeyYMTT"),
      xtnBuybackRewardPeriod: 2_000,
      blockRewardBoostPeriod: 2_000,
      generationPeriodLength: 3_000,
      maxValidEndorsements: 64,
    },
    rewards: rewardsDefaults,
    genesis: {
      blockTimestampMs: 1_460_678_400_000n,
      timestampMs: 1_478_000_000_000n,
      initialBalance: 100_000_000n * waves,
      initialBaseTarget: 153_722_867n,
      averageBlockDelayMs: 60_000,
      signature: decodeBase58(
        "5uqnLK3Z9eiot6FyYBfwUnbyid3abicQbAZjz38GQ1Q8XigQMxTK4C1zNkqS1SVw7FqSidbZKxWAKLVoEsp4nNqa",
      ) as Signature,
      transactions: [
        { recipient: address("3My3KZgFQ3CrVHgz6vGRt8687sH4oAA1qp8"), amount: 4_000_000n * waves },
        { recipient: address("3NBVqYXrapgJP9atQccdBPAgJPwHDKkh6A8"), amount: 2_000_000n * waves },
        { recipient: address("3N5GRqzDBhjVXnCn44baHcz2GoZy5qLxtTh"), amount: 2_000_000n * waves },
        { recipient: address("3NCBMxgdghg4tUhEEffSXy11L6hUi6fcBpd"), amount: 2_000_000n * waves },
        { recipient: address("3N18z4B8kyyQ96PhN5eyhCAbg4j49CgwZJx"), amount: 90_000_000n * waves },
      ],
    },
  },
};

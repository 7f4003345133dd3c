/**
 * The main network, since June 2016.
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

export const mainnet: NetworkSettings = {
  name: "mainnet",
  node: { ...nodeDefaults, peers: { ...nodeDefaults.peers, knownPeers: ["peers.wavesnodes.com:6868"] } },
  blockchain: {
    schemeCharacter: "W",
    chainId: 0x57,
    functionality: {
      ...functionalityDefaults,
      featureCheckBlocksPeriod: 5_000,
      blocksForFeatureActivation: 4_000,
      doubleFeaturesPeriodsAfterHeight: 810_000,
      generationBalanceDepthFrom50To1000AfterHeight: 232_000,
      blockVersion3AfterHeight: 795_000,
      // 28 June 2018
      lastTimeBasedForkParameter: 1_530_161_445_559n,
      resetEffectiveBalancesAtHeight: 462_000,
      estimatorPreCheckHeight: 1_847_610,
      estimationOverflowFixHeight: 2_858_710,
      estimatorSumOverflowFixHeight: 2_897_510,
      enforceTransferValidationAfter: 2_959_447,
      paymentsCheckHeight: 4_303_300,
      daoAddress: address("3PEgG7eZHLFhcfsTSaYxgRhZsh4AxMvA4Ms"),
      xtnBuybackAddress: address("3PFjHWuH6WXNJbwnfLHqNFBpwBS5dkYjTfv"),
      xtnBuybackRewardPeriod: 100_000,
      blockRewardBoostPeriod: 300_000,
      generationPeriodLength: 10_000,
      maxValidEndorsements: 128,
    },
    rewards: rewardsDefaults,
    genesis: {
      blockTimestampMs: 1_460_678_400_000n,
      timestampMs: 1_465_742_577_614n,
      initialBalance: 100_000_000n * waves,
      initialBaseTarget: 153_722_867n,
      averageBlockDelayMs: 60_000,
      signature: decodeBase58(
        "FSH8eAAzZNqnG8xgTZtz5xuLqXySsXgAjmFEC25hXMbEufiGjqWPnGCZFt6gLiVLJny16ipxRNAkkzjjhqTjBE2",
      ) as Signature,
      transactions: [
        { recipient: address("3PAWwWa6GbwcJaFzwqXQN5KQm7H96Y7SHTQ"), amount: 99_999_995n * waves },
        { recipient: address("3P8JdJGYc7vaLu4UXUZc1iRLdzrkGtdCyJM"), amount: waves },
        { recipient: address("3PAGPDPqnGkyhcihyjMHe9v36Y4hkAh9yDy"), amount: waves },
        { recipient: address("3P9o3ZYwtHkaU1KxsKkFjJqJKS3dLHLC9oF"), amount: waves },
        { recipient: address("3PJaDyprvekvPXPuAtxrapacuDJopgJRaU3"), amount: waves },
        { recipient: address("3PBWXDFUc86N2EQxKJmW8eFco65xTyMZx6J"), amount: waves },
      ],
    },
  },
};

/**
 * Protocol features: number, name and the texts of `/activation/status`.
 * @source docs/protocol/rest-api.md 3.14; Waves: features/BlockchainFeature.scala
 */
export const Feature = {
  SmallerMinimalGeneratingBalance: 1,
  Ng: 2,
  MassTransfer: 3,
  SmartAccounts: 4,
  DataTransaction: 5,
  BurnAnyTokens: 6,
  FeeSponsorship: 7,
  FairPos: 8,
  SmartAssets: 9,
  SmartAccountTrading: 10,
  Ride4DApps: 11,
  OrderV3: 12,
  ReduceNftFee: 13,
  BlockReward: 14,
  BlockV5: 15,
  SynchronousCalls: 16,
  RideV6: 17,
  ConsensusImprovements: 18,
  BlockRewardDistribution: 19,
  CappedReward: 20,
  CeaseXtnBuyback: 21,
  LightNode: 22,
  BoostBlockReward: 23,
  EcrecoverFix: 24,
  DeterministicFinality: 25,
} as const;

export type FeatureId = (typeof Feature)[keyof typeof Feature];

/**
 * Features with rules in this release: those that a miner may vote for, that clients see as implemented, and that
 * determine the available versions of the script library.
 */
export const implementedFeatures: ReadonlySet<number> = new Set(Object.values(Feature));

/** Description of each feature as the reference prints it. */
export const featureDescriptions = {
  1: "Minimum Generating Balance of 1000 WAVES",
  2: "NG Protocol",
  3: "Mass Transfer Transaction",
  4: "Smart Accounts",
  5: "Data Transaction",
  6: "Burn Any Tokens",
  7: "Fee Sponsorship",
  8: "Fair PoS",
  9: "Smart Assets",
  10: "Smart Account Trading",
  11: "RIDE 4 DAPPS",
  12: "Order Version 3",
  13: "Reduce NFT fee",
  14: "Block Reward and Community Driven Monetary Policy",
  15: "Ride V4, VRF, Protobuf, Failed transactions",
  16: "Ride V5, dApp-to-dApp invocations",
  17: "Ride V6, MetaMask support",
  18: "Consensus and MetaMask updates",
  19: "Block Reward Distribution",
  20: "Capped XTN buy-back & DAO amounts",
  21: "Cease XTN buy-back",
  22: "Light Node",
  23: "Boost Block Reward",
  24: "ecrecover fix",
  25: "Deterministic Finality & RIDE V9",
} as const satisfies Record<FeatureId, string>;

/**
 * Activation of features. A feature is active from its activation height on, that block included. Activation depends on
 * votes in the chain, so it is read from a view of the state.
 */
export interface FeatureActivation {
  /** Height from which the feature is active, which may be in the future; undefined while it is voted on. */
  activationHeight(feature: number): number | undefined;
  /** Whether the feature is in force at the height. */
  isActive(feature: number, height: number): boolean;
}

/** @param heights activation height of each decided feature; read at each call */
export function featureActivationOf(heights: ReadonlyMap<number, number>): FeatureActivation {
  return {
    activationHeight: (feature) => heights.get(feature),
    isActive: (feature, height) => (heights.get(feature) ?? Number.POSITIVE_INFINITY) <= height,
  };
}

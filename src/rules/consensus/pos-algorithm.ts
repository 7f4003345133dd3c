/**
 * Proof-of-stake formulas for the next block.
 * @source docs/protocol/consensus-and-finality.md 1.3; Waves: consensus/PoSSelector.scala posCalculator
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";

export interface Nxt {
  readonly kind: "nxt";
}
/**
 * Fair PoS: `minBlockTimeMs` is the minimum delay; `delayDelta` narrows the range of delays that keep the base target.
 */
export interface FairPos {
  readonly kind: "fairPos";
  readonly minBlockTimeMs: number;
  readonly delayDelta: number;
}
export type PosAlgorithm = Nxt | FairPos;

export const nxt: Nxt = { kind: "nxt" };
export const fairPosV1: FairPos = { kind: "fairPos", minBlockTimeMs: 5_000, delayDelta: 0 };

/** Fair PoS with the settings of the network, from feature 15 on. */
export function fairPosOfSettings(functionality: FunctionalitySettings): FairPos {
  const { delayDelta } = functionality;
  // The reference compares whole seconds here, so 15.x s with the usual delta counts as 15 s.
  const usual = Math.floor(functionality.minBlockTimeMs / 1_000) === 15 && delayDelta === 8;
  return { kind: "fairPos", minBlockTimeMs: usual ? 15_000 : functionality.minBlockTimeMs, delayDelta };
}

/** The algorithm depends on the features at the parent, not at the new block. */
export function posAlgorithm(options: {
  readonly parentHeight: number;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}): PosAlgorithm {
  const { parentHeight, features, functionality } = options;
  if (!features.isActive(Feature.FairPos, parentHeight)) return nxt;
  return features.isActive(Feature.BlockV5, parentHeight) ? fairPosOfSettings(functionality) : fairPosV1;
}

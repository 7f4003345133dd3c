/** What the verifier of an account adds to the fee of its transactions. @source Waves: state/diffs/FeeValidation.scala */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import { freeVerifierComplexity, scriptExtraFeeWavelets } from "../../protocol/transactions/fee-units.ts";

/** Whether the verifier must be paid for: from feature 16 on cheap ones run for nothing. */
export function isVerifierPaid(complexity: bigint, features: FeatureActivation, height: number): boolean {
  return !features.isActive(Feature.SynchronousCalls, height) || complexity > freeVerifierComplexity;
}

/** @returns wavelets */
export function verifierFee(complexity: bigint, features: FeatureActivation, height: number): bigint {
  return isVerifierPaid(complexity, features, height) ? scriptExtraFeeWavelets : 0n;
}

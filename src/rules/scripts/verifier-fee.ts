/** Extra fee for the verifier of an account. @source Waves: state/diffs/FeeValidation.scala */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import { freeVerifierComplexity, scriptExtraFeeWavelets } from "../../protocol/transactions/fee-units.ts";

/** Whether the verifier adds to the fee: from feature 16 on cheap ones are free. */
export function isVerifierPaid(complexity: bigint, features: FeatureActivation, height: number): boolean {
  return !features.isActive(Feature.SynchronousCalls, height) || complexity > freeVerifierComplexity;
}

/** @returns wavelets */
export function verifierFee(complexity: bigint, features: FeatureActivation, height: number): bigint {
  return isVerifierPaid(complexity, features, height) ? scriptExtraFeeWavelets : 0n;
}

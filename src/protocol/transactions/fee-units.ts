/**
 * What a unit of fee and a run of a script cost. How many units a type costs is in the table of types.
 * @source Waves: state/diffs/FeeValidation.scala
 */
import { formatOf } from "./table.ts";
import type { TransactionType } from "./transaction-type.ts";

/** One unit of fee. */
export const feeUnitWavelets = 100_000n;
/** Least fee of a type, before what depends on content, scripts and features. */
export function baseFeeWavelets(type: TransactionType): bigint {
  return BigInt(formatOf(type).feeUnits) * feeUnitWavelets;
}

/** For each script that the transaction makes run. */
export const scriptExtraFeeWavelets = 400_000n;
/** An account script up to this complexity runs without extra fee (from feature 16 on). */
export const freeVerifierComplexity = 200n;

/**
 * Price of a unit of fee and of a script run. The table of types has the number of units of each type.
 * @source Waves: state/diffs/FeeValidation.scala
 */
import { formatOf } from "./table.ts";
import type { TransactionType } from "./transaction-type.ts";

/** One unit of fee. */
export const feeUnitWavelets = 100_000n;
/** Minimum fee of a type, without the surcharges for content, scripts and features. */
export function baseFeeWavelets(type: TransactionType): bigint {
  return BigInt(formatOf(type).feeUnits) * feeUnitWavelets;
}

/** Surcharge for each script that the transaction runs. */
export const scriptExtraFeeWavelets = 400_000n;
/** An account script up to this complexity runs without extra fee (from feature 16 on). */
export const freeVerifierComplexity = 200n;

import { I64_MAX, I64_MIN } from "../../protocol/codec/i64.ts";

/**
 * Truncates a double to a whole number in the range of i64; NaN gives 0 (conversion of the Java language, JLS 5.1.3).
 */
export function truncateToI64(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return I64_MAX;
  if (value <= -(2 ** 63)) return I64_MIN;
  return BigInt(Math.trunc(value));
}

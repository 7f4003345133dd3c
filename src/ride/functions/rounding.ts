/**
 * Rounding modes, and rounded division.
 * @source Waves: lang/v1/evaluator/ctx/impl/Rounding.scala, lang/v1/BaseGlobal.scala (divide)
 */
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { Structure, type Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";

export type Rounding = "Down" | "Up" | "HalfDown" | "HalfUp" | "HalfEven" | "Ceiling" | "Floor";
/** Additional modes up to version 4. */
export const oldRoundings: readonly Rounding[] = ["Up", "HalfDown"];
export const roundings: readonly Rounding[] = ["Down", "HalfUp", "HalfEven", "Ceiling", "Floor"];

const known: ReadonlySet<string> = new Set<Rounding>([...oldRoundings, ...roundings]);

/** Mode of a script's value. @throws NativeFailure for any other value */
export function roundingOf(value: Value): Rounding {
  if (value instanceof Structure && known.has(value.type)) return value.type as Rounding;
  throw new NativeFailure("java.util.NoSuchElementException", `key not found: ${valueText(value)}`);
}

/** @throws ExecutionError the divisor is 0 */
export function divideRounded(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor === 0n) throw new ExecutionError("BigInteger divide by zero");
  const isNegative = dividend < 0n !== divisor < 0n;
  const left = dividend < 0n ? -dividend : dividend;
  const right = divisor < 0n ? -divisor : divisor;
  const quotient = left / right;
  const rest = left % right;
  const magnitude =
    rest !== 0n && roundsAway(rounding, quotient, rest * 2n - right, isNegative) ? quotient + 1n : quotient;
  return isNegative ? -magnitude : magnitude;
}

/** @param beyondHalf its sign compares the remainder with a half */
function roundsAway(rounding: Rounding, quotient: bigint, beyondHalf: bigint, isNegative: boolean): boolean {
  switch (rounding) {
    case "Down":
      return false;
    case "Up":
      return true;
    case "HalfDown":
      return beyondHalf > 0n;
    case "HalfUp":
      return beyondHalf >= 0n;
    case "HalfEven":
      return beyondHalf > 0n || (beyondHalf === 0n && quotient % 2n === 1n);
    case "Ceiling":
      return !isNegative;
    case "Floor":
      return isNegative;
  }
}

/**
 * Quotients as the reference computes them: a decimal of 34 significant digits (IEEE 754 decimal128, half even), then
 * the nearest double. Both roundings matter: with only one, the last bit differs for some hits.
 * @source Waves: consensus/PoSCalculator.scala (BigDecimal with its default MathContext.DECIMAL128, then toDouble)
 */

const precisionDigits = 34;

/** A decimal number: `digits * 10^exponent`, with at most 34 digits. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const digitCount = (value: bigint): number => value.toString().length;

/** `numerator / denominator` to the nearest integer, ties to even. Both positive. */
function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** The ratio of two positive integers to 34 significant digits. */
function decimalRatio(numerator: bigint, denominator: bigint): Decimal {
  // The integer part of the scaled ratio has 34 or 35 digits.
  let scale = precisionDigits + digitCount(denominator) - digitCount(numerator);
  const scaled = (): bigint =>
    scale >= 0
      ? roundedQuotient(numerator * 10n ** BigInt(scale), denominator)
      : roundedQuotient(numerator, denominator * 10n ** BigInt(-scale));
  let digits = scaled();
  if (digitCount(digits) > precisionDigits) {
    // Divided again, not rounded again: two roundings in a row could differ from one.
    scale -= 1;
    digits = scaled();
  }
  return { digits, exponent: -scale };
}

/** The double nearest to a ratio of two positive integers, ties to even; for results in the range of normal doubles. */
function nearestDouble(numerator: bigint, denominator: bigint): number {
  // At least 64 bits of quotient, and a sticky bit for the remainder: Number() then rounds once, to 53 bits.
  const shift = Math.max(0, 65 + denominator.toString(2).length - numerator.toString(2).length);
  const shifted = numerator << BigInt(shift);
  const quotient = (shifted / denominator) * 2n + (shifted % denominator === 0n ? 0n : 1n);
  return Number(quotient) * 2 ** -(shift + 1);
}

/** The nearest integer that has at most 34 significant digits, ties to even. @param value positive */
export function roundToPrecision(value: bigint): bigint {
  const excess = digitCount(value) - precisionDigits;
  if (excess <= 0) return value;
  const unit = 10n ** BigInt(excess);
  return roundedQuotient(value, unit) * unit;
}

/**
 * `numerator / denominator` as a decimal of 34 significant digits, as the nearest double.
 * @param numerator not negative
 * @param denominator positive
 */
export function decimalQuotient(numerator: bigint, denominator: bigint): number {
  const { digits, exponent } = decimalRatio(numerator, denominator);
  return exponent >= 0
    ? nearestDouble(digits * 10n ** BigInt(exponent), 1n)
    : nearestDouble(digits, 10n ** BigInt(-exponent));
}

/**
 * Decimal numbers of any size, with the scales and the rounding of `java.math.BigDecimal`.
 * @source Java: java.math.BigDecimal
 */
import { ExecutionError } from "../execution-error.ts";
import { divideRounded, type Rounding } from "./rounding.ts";

/** The number `unscaled` / 10^`scale`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}
/** Number of significant digits, and rounding of the rest. */
export interface Precision {
  readonly digits: number;
  readonly rounding: Rounding;
}

const maxScale = 2 ** 31 - 1;

const tenPowers: bigint[] = [1n];
const cachedPowers = 1_024;

/** @param exponent not negative */
export function powerOfTen(exponent: number): bigint {
  if (exponent >= cachedPowers) return 10n ** BigInt(exponent);
  for (let next = tenPowers.length; next <= exponent; next++) tenPowers.push((tenPowers[next - 1] as bigint) * 10n);
  return tenPowers[exponent] as bigint;
}

export function roundTo(value: Decimal, { digits, rounding }: Precision): Decimal {
  let { unscaled, scale } = value;
  // Rounding up may add a digit, which is rounded again.
  for (let excess = digitsOf(unscaled) - digits; excess > 0; excess = digitsOf(unscaled) - digits) {
    unscaled = divideRounded(unscaled, powerOfTen(excess), rounding);
    scale -= excess;
  }
  return checkScale({ unscaled, scale });
}

/** Exact sum. */
export function add(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { unscaled: withScale(left, scale) + withScale(right, scale), scale };
}

/** Exact difference. */
export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, negate(right));
}

export function negate({ unscaled, scale }: Decimal): Decimal {
  return { unscaled: -unscaled, scale };
}

/** Exact product. */
export function times(left: Decimal, right: Decimal): Decimal {
  return checkScale({ unscaled: left.unscaled * right.unscaled, scale: left.scale + right.scale });
}

export function multiply(left: Decimal, right: Decimal, precision: Precision): Decimal {
  return roundTo(times(left, right), precision);
}

/** Quotient. An exact one has the scale closest to the difference of the scales. @throws ExecutionError */
export function divide(left: Decimal, right: Decimal, precision: Precision): Decimal {
  if (right.unscaled === 0n) {
    throw new ExecutionError(left.unscaled === 0n ? "Division undefined" : "Division by zero");
  }
  const preferredScale = left.scale - right.scale;
  if (left.unscaled === 0n) return checkScale({ unscaled: 0n, scale: preferredScale });
  // One digit more if the dividend's digits are less than the divisor's: the quotient then has all its digits.
  const isMore = compareDigits(left.unscaled, right.unscaled) > 0;
  const shift = precision.digits + digitsOf(right.unscaled) - (isMore ? 1 : 0) - digitsOf(left.unscaled);
  const scale = preferredScale + shift;
  const dividend = shift > 0 ? left.unscaled * powerOfTen(shift) : left.unscaled;
  const divisor = shift > 0 ? right.unscaled : right.unscaled * powerOfTen(-shift);
  const quotient = { unscaled: divideRounded(dividend, divisor, precision.rounding), scale };
  const isExact = quotient.unscaled * divisor === dividend;
  return roundTo(isExact ? stripZeros(quotient, preferredScale) : quotient, precision);
}

/** Sign of the difference of the two numbers' digits, as fractions. */
function compareDigits(left: bigint, right: bigint): number {
  const difference = digitsOf(left) - digitsOf(right);
  const [first, second] = [magnitude(left), magnitude(right)];
  return compare(
    difference < 0 ? first * powerOfTen(-difference) : first,
    difference > 0 ? second * powerOfTen(difference) : second,
  );
}

/** Sign of the difference. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const [leftSign, rightSign] = [compare(left.unscaled, 0n), compare(right.unscaled, 0n)];
  if (leftSign !== rightSign) return leftSign - rightSign;
  const magnitudes = digitsOf(left.unscaled) - left.scale - digitsOf(right.unscaled) + right.scale;
  if (magnitudes !== 0) return magnitudes * leftSign;
  const scale = Math.max(left.scale, right.scale);
  return compare(withScale(left, scale), withScale(right, scale));
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Integral part. */
export function integralPart({ unscaled, scale }: Decimal): bigint {
  if (scale <= 0) return unscaled * powerOfTen(-scale);
  return scale >= digitsOf(unscaled) ? 0n : unscaled / powerOfTen(scale);
}

/** @param scale at least the number's own */
function withScale(value: Decimal, scale: number): bigint {
  return scale === value.scale ? value.unscaled : value.unscaled * powerOfTen(scale - value.scale);
}

/** Number of decimal digits; 1 for 0. */
export function digitsOf(value: bigint): number {
  const positive = magnitude(value);
  if (positive < 10n) return 1;
  const hexDigits = positive.toString(16);
  const bits = hexDigits.length * 4 - Math.clz32(Number.parseInt(hexDigits.charAt(0), 16)) + 28;
  const minExponent = Math.floor((bits - 1) * Math.LOG10E * Math.LN2);
  return positive >= powerOfTen(minExponent + 1) ? minExponent + 2 : minExponent + 1;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function stripZeros(value: Decimal, preferredScale: number): Decimal {
  let { unscaled, scale } = value;
  while (scale > preferredScale && unscaled % 10n === 0n) {
    unscaled /= 10n;
    scale--;
  }
  return { unscaled, scale };
}

/** Scales are 32-bit numbers. @throws ExecutionError */
function checkScale(value: Decimal): Decimal {
  if (value.unscaled === 0n) return { unscaled: 0n, scale: Math.min(Math.max(value.scale, -maxScale - 1), maxScale) };
  if (value.scale > maxScale) throw new ExecutionError("Underflow");
  if (value.scale < -maxScale - 1) throw new ExecutionError("Overflow");
  return value;
}

/** The number as Java prints it, with an exponent if necessary. */
export function decimalText({ unscaled, scale }: Decimal): string {
  const digits = magnitude(unscaled).toString();
  const sign = unscaled < 0n ? "-" : "";
  const exponent = digits.length - 1 - scale;
  if (scale === 0) return sign + digits;
  if (scale > 0 && exponent >= -6) {
    const padded = digits.padStart(scale + 1, "0");
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  }
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign}${digits[0]}${fraction}E${exponent < 0 ? "" : "+"}${exponent}`;
}

/** Nearest double. */
export function toDouble(value: Decimal): number {
  return Number(decimalText(value));
}

/** Shortest decimal that parses to the double. @param value finite */
export function decimalOfDouble(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = value.toString().split("e");
  const [integer = "", fraction = ""] = mantissa.split(".");
  return { unscaled: BigInt(integer + fraction), scale: fraction.length - Number(exponent) };
}

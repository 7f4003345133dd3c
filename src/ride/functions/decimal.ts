/**
 * Decimal numbers of any size, with the rounding of `java.math.BigDecimal`, and logarithm, exponential, powers and
 * roots as the library big-math computes them: rounded at the same places to the same number of digits.
 *
 * Between those places everything here is computed to more digits than the library keeps, so the results are the
 * correctly rounded ones.
 * @source Java: java.math.BigDecimal; ch.obermuhlner: big-math 2.3.2, BigDecimalMath
 */
import { ExecutionError } from "../execution-error.ts";
import { divideRounded, type Rounding } from "./rounding.ts";

/** The number `unscaled` / 10^`scale`. */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}
/** How many significant digits are kept, and how the rest is rounded. */
export interface Precision {
  readonly digits: number;
  readonly rounding: Rounding;
}

const one: Decimal = { unscaled: 1n, scale: 0 };
const zero: Decimal = { unscaled: 0n, scale: 0 };
const maxScale = 2 ** 31 - 1;

export function roundTo(value: Decimal, { digits, rounding }: Precision): Decimal {
  let { unscaled, scale } = value;
  // Rounding up may add a digit, which is cut in its turn.
  for (let excess = digitsOf(unscaled) - digits; excess > 0; excess = digitsOf(unscaled) - digits) {
    unscaled = divideRounded(unscaled, 10n ** BigInt(excess), rounding);
    scale -= excess;
  }
  return checkScale({ unscaled, scale });
}

export function multiply(left: Decimal, right: Decimal, precision: Precision): Decimal {
  return roundTo(checkScale({ unscaled: left.unscaled * right.unscaled, scale: left.scale + right.scale }), precision);
}

/** The quotient with the scale that is nearest to the difference of the scales. @throws ExecutionError */
export function divide(left: Decimal, right: Decimal, precision: Precision): Decimal {
  if (right.unscaled === 0n) {
    throw new ExecutionError(left.unscaled === 0n ? "Division undefined" : "Division by zero");
  }
  const preferredScale = left.scale - right.scale;
  if (left.unscaled === 0n) return { unscaled: 0n, scale: preferredScale };
  const shift = Math.max(precision.digits + 3 + digitsOf(right.unscaled) - digitsOf(left.unscaled), 0);
  const dividend = left.unscaled * 10n ** BigInt(shift);
  const exact = dividend % right.unscaled === 0n;
  // A digit behind the quotient stands for all that follow it.
  const quotient = exact
    ? { unscaled: dividend / right.unscaled, scale: preferredScale + shift }
    : {
        unscaled: (dividend / right.unscaled) * 10n + (dividend < 0n === right.unscaled < 0n ? 1n : -1n),
        scale: preferredScale + shift + 1,
      };
  const rounded = roundTo(quotient, precision);
  return exact ? stripZeros(rounded, preferredScale) : rounded;
}

/** @param y any number. @throws ExecutionError for what has no power */
export function power(x: Decimal, y: Decimal, precision: Precision): Decimal {
  if (x.unscaled === 0n && y.unscaled === 0n) return one;
  if (x.unscaled === 0n && y.unscaled > 0n) return zero;
  const integer = integerOf(y);
  if (integer !== undefined) return integerPower(x, integer, precision);
  const wider = { ...precision, digits: precision.digits + 6 };
  return roundTo(exponential(multiply(y, logarithm(x, wider), wider), wider), precision);
}

/** By squaring, rounded at every step. */
function integerPower(x: Decimal, y: bigint, precision: Precision): Decimal {
  const isLong = BigInt.asIntN(64, y) === y;
  const wider = { ...precision, digits: precision.digits + (isLong ? 10 : 30) };
  if (y < 0n) {
    const below = integerPower(x, -y, isLong ? wider : precision);
    return roundTo(divide(one, below, isLong ? wider : precision), precision);
  }
  let result = one;
  let square = x;
  for (let rest = y; rest > 0n; ) {
    if (rest % 2n === 1n) {
      result = multiply(result, square, wider);
      rest -= 1n;
    }
    if (rest > 0n) square = multiply(square, square, wider);
    rest /= 2n;
  }
  return roundTo(result, precision);
}

/** Natural logarithm. @throws ExecutionError for 0 and less */
export function logarithm(x: Decimal, precision: Precision): Decimal {
  if (x.unscaled <= 0n) throw new ExecutionError(`Illegal log(x) for x <= 0: x = ${decimalText(x)}`);
  const exponent = digitsOf(x.unscaled) - x.scale - 1;
  if (compareToOne(x) === 0) return zero;
  // ln x = ln m + e ln 10 with 1 <= m < 10. Digits are lost where x is close to 1.
  const guard = precision.digits + 30 + digitsOf(x.unscaled);
  const unit = 10n ** BigInt(guard);
  const mantissa = scaleTo(x.unscaled, digitsOf(x.unscaled) - 1, guard);
  const value = fixedLogarithm(mantissa, unit) + BigInt(exponent) * lnTen(guard);
  return roundTo({ unscaled: value, scale: guard }, precision);
}

/** e to the power of x. */
export function exponential(x: Decimal, precision: Precision): Decimal {
  if (x.unscaled === 0n) return one;
  const magnitude = digitsOf(x.unscaled) - x.scale;
  // The integer part has to be a 32-bit number.
  if (magnitude > 10) throw new ExecutionError("Overflow");
  const integer = scaleTo(x.unscaled, x.scale, 0);
  if (BigInt.asIntN(32, integer) !== integer) throw new ExecutionError("Overflow");
  const guard = precision.digits + 30 + Math.max(magnitude, 0);
  const value = scaleTo(x.unscaled, x.scale, guard);
  // e^x = 10^k e^r with r = x - k ln 10
  const ten = lnTen(guard);
  const tens = value / ten;
  const result = fixedExponential(value - tens * ten, 10n ** BigInt(guard));
  return roundTo(checkScale({ unscaled: result, scale: guard - Number(tens) }), precision);
}

/** @throws ExecutionError for less than 0 */
export function squareRoot(x: Decimal, precision: Precision): Decimal {
  if (x.unscaled === 0n) return zero;
  if (x.unscaled < 0n) throw new ExecutionError(`Illegal sqrt(x) for x < 0: x = ${decimalText(x)}`);
  const { unscaled, scale } = x.scale % 2 === 0 ? x : { unscaled: x.unscaled * 10n, scale: x.scale + 1 };
  const exact = integerRoot(unscaled);
  if (exact * exact === unscaled) return roundTo(stripZeros({ unscaled: exact, scale: scale / 2 }, 0), precision);
  const shift = Math.max(precision.digits + 3 - (digitsOf(unscaled) >> 1), 0);
  const root = integerRoot(unscaled * 100n ** BigInt(shift));
  return roundTo({ unscaled: root * 10n + 1n, scale: scale / 2 + shift + 1 }, precision);
}

/** The number as an integer, if it is one. */
function integerOf({ unscaled, scale }: Decimal): bigint | undefined {
  if (scale <= 0) return unscaled * 10n ** BigInt(-scale);
  const unit = 10n ** BigInt(scale);
  return unscaled % unit === 0n ? unscaled / unit : undefined;
}

export function digitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString().length;
}

function compareToOne({ unscaled, scale }: Decimal): number {
  const [left, right] = scale >= 0 ? [unscaled, 10n ** BigInt(scale)] : [unscaled * 10n ** BigInt(-scale), 1n];
  return left < right ? -1 : left > right ? 1 : 0;
}

function scaleTo(unscaled: bigint, scale: number, target: number): bigint {
  return target >= scale ? unscaled * 10n ** BigInt(target - scale) : unscaled / 10n ** BigInt(scale - target);
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

function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** As Java prints it with an exponent where it has to. */
export function decimalText({ unscaled, scale }: Decimal): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString();
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

const tens = new Map<number, bigint>();

/** ln 10 as a fixed-point number with that many digits. */
function lnTen(digits: number): bigint {
  let value = tens.get(digits);
  if (value === undefined) {
    const unit = 10n ** BigInt(digits + 5);
    // ln 10 = 3 ln 2 + ln (10/8)
    value = (3n * doubledArtanh(unit / 3n, unit) + doubledArtanh(unit / 9n, unit)) / 100_000n;
    if (tens.size > 64) tens.clear();
    tens.set(digits, value);
  }
  return value;
}

/** 2 artanh(z) of a fixed-point z: ln of (1 + z) / (1 - z). */
function doubledArtanh(z: bigint, unit: bigint): bigint {
  const square = (z * z) / unit;
  let sum = z;
  let term = z;
  for (let odd = 3n; term !== 0n; odd += 2n) {
    term = (term * square) / unit;
    sum += term / odd;
  }
  return sum * 2n;
}

/** ln of a fixed-point number between 1 and 10: halved by roots until it is close to 1. */
function fixedLogarithm(value: bigint, unit: bigint): bigint {
  let doublings = 0n;
  let near = value;
  while (near > unit + unit / 100n) {
    near = integerRoot(near * unit);
    doublings++;
  }
  return doubledArtanh(((near - unit) * unit) / (near + unit), unit) << doublings;
}

/** e^x of a fixed-point number of modest size: the series of x/256, squared eight times. */
function fixedExponential(value: bigint, unit: bigint): bigint {
  const halvings = 8n;
  const small = value >> halvings;
  let sum = unit;
  let term = unit;
  for (let index = 1n; term !== 0n && term !== -1n; index++) {
    term = (term * small) / unit / index;
    sum += term;
  }
  for (let index = 0n; index < halvings; index++) sum = (sum * sum) / unit;
  return sum;
}

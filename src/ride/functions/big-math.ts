/**
 * Logarithms, exponentials, powers and roots with the steps of the library big-math: its intermediate rounding affects
 * the last digit, which scripts see.
 * The library caches ln 2, ln 3 and ln 10 with the highest precision requested so far, and treats them as exact until
 * it needs more digits. Here they are always exact to the requested digits, as in a process that has computed a power
 * of a BigInt.
 * @source ch.obermuhlner: big-math 2.3.2, BigDecimalMath, ExpCalculator
 */
import { ExecutionError } from "../execution-error.ts";
import {
  add,
  compareDecimals,
  type Decimal,
  decimalOfDouble,
  decimalText,
  digitsOf,
  divide,
  integralPart,
  multiply,
  type Precision,
  powerOfTen,
  roundTo,
  subtract,
  times,
  toDouble,
} from "./decimal.ts";

const zero = integer(0);
const one = integer(1);
const two = integer(2);
const ten = integer(10);
const half: Decimal = { unscaled: 5n, scale: 1 };

function integer(value: number): Decimal {
  return { unscaled: BigInt(value), scale: 0 };
}

function wider(precision: Precision, digits: number): Precision {
  return { ...precision, digits: precision.digits + digits };
}

function doubled(precision: Precision): Precision {
  return { ...precision, digits: precision.digits * 2 };
}

/** @param y any number. @throws ExecutionError for arguments without a power */
export function power(x: Decimal, y: Decimal, precision: Precision): Decimal {
  if (x.unscaled === 0n && y.unscaled === 0n) return one;
  if (x.unscaled === 0n && y.unscaled > 0n) return zero;
  const exponent = integerOf(y);
  if (exponent !== undefined) return integerPower(x, exponent, precision);
  const inner = wider(precision, 6);
  return roundTo(exponential(multiply(y, logarithm(x, inner), inner), inner), precision);
}

function integerPower(x: Decimal, y: bigint, precision: Precision): Decimal {
  if (BigInt.asIntN(64, y) === y) {
    try {
      return longPower(x, y, precision);
    } catch (error) {
      // If this method fails, the one for longer exponents follows.
      if (!(error instanceof ExecutionError)) throw error;
    }
  }
  if (y < 0n) return divide(one, integerPower(x, -y, precision), precision);
  return roundTo(squaredPower(x, y, wider(precision, 30)), precision);
}

function longPower(x: Decimal, y: bigint, precision: Precision): Decimal {
  const inner = wider(precision, 10);
  if (y < 0n) return roundTo(divide(one, longPower(x, -y, inner), inner), precision);
  return roundTo(squaredPower(x, y, inner), precision);
}

/** Power by squaring, rounded at every step. */
function squaredPower(x: Decimal, y: bigint, precision: Precision): Decimal {
  let result = one;
  let square = x;
  for (let rest = y; rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) result = multiply(result, square, precision);
    if (rest > 1n) square = multiply(square, square, precision);
  }
  return result;
}

/** @throws ExecutionError for negative numbers */
export function squareRoot(x: Decimal, precision: Precision): Decimal {
  if (x.unscaled === 0n) return zero;
  if (x.unscaled < 0n) throw new ExecutionError(`Illegal sqrt(x) for x < 0: x = ${decimalText(x)}`);
  const maxDigits = precision.digits + 6;
  let result = decimalOfDouble(Math.sqrt(toDouble(x)));
  if (compareDecimals(times(result, result), x) === 0) return roundTo(result, precision);
  for (let digits = doubleDigits * 2, isNear = false; !isNear; digits *= 2) {
    const previous = result;
    const inner = { ...precision, digits: Math.min(digits, maxDigits) };
    result = multiply(add(divide(x, previous, inner), previous), half, inner);
    isNear = digits >= maxDigits && isWithin(subtract(result, previous), precision.digits + 1);
  }
  return roundTo(result, precision);
}

/** Reliable digits of a double. */
const doubleDigits = 15;

/** Whether the absolute value is at most 10^-`decimals`. */
function isWithin({ unscaled, scale }: Decimal, decimals: number): boolean {
  return (
    compareDecimals({ unscaled: unscaled < 0n ? -unscaled : unscaled, scale }, { unscaled: 1n, scale: decimals }) <= 0
  );
}

/** Natural logarithm. @throws ExecutionError for 0 and less */
export function logarithm(x: Decimal, precision: Precision): Decimal {
  if (x.unscaled <= 0n) throw new ExecutionError(`Illegal log(x) for x <= 0: x = ${decimalText(x)}`);
  if (compareDecimals(x, one) === 0) return zero;
  const order = compareDecimals(x, ten);
  if (order === 0) return knownLogarithm(10, precision);
  return roundTo(order > 0 ? logarithmOfLarge(x, precision) : logarithmNearOne(x, precision), precision);
}

function logarithmOfLarge(x: Decimal, precision: Precision): Decimal {
  const inner = wider(precision, 4);
  const exponent = digitsOf(x.unscaled) - x.scale - 1;
  const mantissa = logarithmNearOne({ unscaled: x.unscaled, scale: x.scale + exponent }, inner);
  return add(mantissa, multiply(integer(exponent), knownLogarithm(10, doubled(precision)), inner));
}

/** Factors of two and three that bring numbers below a bound close to 1; a negative count multiplies. */
const nearingFactors = [
  { below: 0.115, twos: 0, threes: -2 },
  { below: 0.14, twos: -3, threes: 0 },
  { below: 0.2, twos: -1, threes: -1 },
  { below: 0.3, twos: -2, threes: 0 },
  { below: 0.42, twos: 0, threes: -1 },
  { below: 0.7, twos: -1, threes: 0 },
  { below: 1.4, twos: 0, threes: 0 },
  { below: 2.5, twos: 1, threes: 0 },
  { below: 3.5, twos: 0, threes: 1 },
  { below: 5, twos: 2, threes: 0 },
  { below: 7, twos: 1, threes: 1 },
  { below: 8.5, twos: 3, threes: 0 },
  { below: 10, twos: 0, threes: 2 },
] as const;

function factorsOf(value: number): { readonly twos: number; readonly threes: number } {
  if (value < 0.01) return { twos: 0, threes: 0 };
  if (value >= 0.1) return nearingFactors.find(({ below }) => value < below) ?? halvings(value);
  let twos = 0;
  for (let grown = value; grown < 0.6; grown *= 2) twos--;
  return { twos, threes: 0 };
}

/** Halvings for a mantissa just below 10, whose double is 10. */
function halvings(value: number): { readonly twos: number; readonly threes: number } {
  let twos = 0;
  for (let rest = value; rest > 1.4; rest /= 2) twos++;
  return { twos, threes: 0 };
}

/** @param x at most 10 */
function logarithmNearOne(x: Decimal, precision: Precision): Decimal {
  const inner = wider(precision, 4);
  const { twos, threes } = factorsOf(toDouble(x));
  if (twos === 0 && threes === 0) return newtonLogarithm(x, precision);
  let near = x;
  let result = zero;
  for (const [count, factor] of [
    [twos, 2],
    [threes, 3],
  ] as const) {
    if (count === 0) continue;
    const product = integer(factor ** Math.abs(count));
    near = count > 0 ? divide(near, product, inner) : multiply(near, product, inner);
    result = add(result, multiply(knownLogarithm(factor, doubled(precision)), integer(count), inner));
  }
  return roundTo(add(result, newtonLogarithm(near, inner)), inner);
}

/** Iterates y + 2 (x - e^y) / (x + e^y), with guard digits. */
function newtonLogarithm(x: Decimal, precision: Precision): Decimal {
  const maxDigits = precision.digits + 20;
  let result = decimalOfDouble(Math.log(toDouble(x)));
  for (let digits = doubleDigits * 3, isNear = false; !isNear; digits *= 3) {
    const inner = { ...precision, digits: Math.min(digits, maxDigits) };
    const reached = exponential(result, inner);
    const step = divide(times(two, subtract(x, reached)), add(x, reached), inner);
    result = add(result, step);
    isNear = digits >= maxDigits && isWithin(step, precision.digits + 1);
  }
  return result;
}

/** e to the power of x. @throws ExecutionError the integer part is no 32-bit number */
export function exponential(x: Decimal, precision: Precision): Decimal {
  if (x.unscaled === 0n) return one;
  const integral = integralPart(x);
  if (integral === 0n) return taylorExponential(x, precision);
  if (BigInt.asIntN(32, integral) !== integral) throw new ExecutionError("Overflow");
  const inner = wider(precision, 10);
  const whole = { unscaled: integral, scale: 0 };
  const near = taylorExponential(add(one, divide(subtract(x, whole), whole, inner)), inner);
  return roundTo(longPower(near, integral, inner), precision);
}

/** e to the power of x/256, and the result to the power of 256. */
function taylorExponential(x: Decimal, precision: Precision): Decimal {
  const inner = wider(precision, 6);
  const small = divide(x, integer(256), inner);
  let sum = zero;
  let current = one;
  let factorial = 1n;
  for (let index = 1n, step = one; ; index++) {
    step = divide(current, { unscaled: factorial, scale: 0 }, inner);
    sum = add(sum, step);
    if (isWithin(step, inner.digits + 1)) break;
    current = multiply(current, small, inner);
    factorial *= index;
  }
  return roundTo(longPower(roundTo(sum, inner), 256n, inner), precision);
}

/** The number as an integer, if it is one. */
function integerOf({ unscaled, scale }: Decimal): bigint | undefined {
  if (scale <= 0) return unscaled * powerOfTen(-scale);
  const unit = powerOfTen(scale);
  return unscaled % unit === 0n ? unscaled / unit : undefined;
}

/** Digits of ln 2, ln 3 and ln 10: twice the widest precision, and some more. */
const knownDigits = 440;
let known: Readonly<Record<2 | 3 | 10, bigint>> | undefined;

function knownLogarithm(base: 2 | 3 | 10, precision: Precision): Decimal {
  known ??= knownLogarithms();
  return roundTo({ unscaled: known[base], scale: knownDigits }, precision);
}

function knownLogarithms(): Readonly<Record<2 | 3 | 10, bigint>> {
  const guard = 100_000n;
  const unit = powerOfTen(knownDigits) * guard;
  // ln 2 = 2 artanh 1/3, ln 3 = ln 2 + 2 artanh 1/5, ln 10 = 3 ln 2 + 2 artanh 1/9
  const lnTwo = doubledArtanh(3n, unit);
  const lnThree = lnTwo + doubledArtanh(5n, unit);
  const lnTen = 3n * lnTwo + doubledArtanh(9n, unit);
  return { 2: lnTwo / guard, 3: lnThree / guard, 10: lnTen / guard };
}

/** 2 artanh of 1/`divisor` as a fixed-point number. */
function doubledArtanh(divisor: bigint, unit: bigint): bigint {
  let term = unit / divisor;
  let sum = term;
  for (let odd = 3n; term !== 0n; odd += 2n) {
    term /= divisor * divisor;
    sum += term / odd;
  }
  return sum * 2n;
}

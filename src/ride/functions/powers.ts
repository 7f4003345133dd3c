/**
 * Powers, roots and logarithms of decimal numbers.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala, lang/Global.scala (pow, log, powBigInt, logBigInt)
 */
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { BigInteger } from "../values/value.ts";
import { WorkRefused } from "../work-refused.ts";
import { MAX_BIG_INTEGER, MIN_BIG_INTEGER } from "./big-integers.ts";
import { logarithm, power, squareRoot } from "./big-math.ts";
import { type Decimal, divide, type Precision, powerOfTen } from "./decimal.ts";
import { type CallContext, composed, type LibraryFunction, native } from "./function-definition.ts";
import { divideRounded, type Rounding, roundingOf } from "./rounding.ts";
import { call, constant, ref } from "./tree.ts";

const allRounds = "Ceiling|Down|Floor|HalfDown|HalfEven|HalfUp|Up";
const rounds = "Ceiling|Down|Floor|HalfEven|HalfUp";
const intPrecision: Precision = { digits: 19, rounding: "HalfUp" };
const oldIntPrecision: Precision = { digits: 34, rounding: "HalfEven" };
const bigPrecision: Precision = { digits: 154, rounding: "HalfUp" };
const oldBigPrecision: Precision = { digits: 196, rounding: "HalfUp" };
const intPrecisions = { new: intPrecision, old: oldIntPrecision };
const bigPrecisions = { new: bigPrecision, old: oldBigPrecision };
/** First version in which the new precision always holds. */
const newPrecisionSince = 6;

function hasNewPrecision({ libraryVersion, hasPrecisePowers }: CallContext): boolean {
  return libraryVersion >= newPrecisionSince || hasPrecisePowers;
}

const intParameters = (types: string) => `base: Int, bp: Int, exponent: Int, ep: Int, rp: Int, round: ${types}`;
const bigParameters = `base: BigInt, bp: Int, exponent: BigInt, ep: Int, rp: Int, round: ${rounds}`;
const intKinds = ["Int", "Int", "Int", "Int", "Int", "Any"] as const;
const bigKinds = ["BigInt", "Int", "BigInt", "Int", "Int", "Any"] as const;
const powUsage = "pow(base: Int, bp: Int, exponent: Int, ep: Int, rp: Int, round: Rounds)";
const logUsage = "log(exponent: Int, ep: Int, base: Int, bp: Int, rp: Int, round: Rounds)";

function checkScales(scales: readonly bigint[], max: bigint, message: string): void {
  if (scales.some((scale) => scale < 0n || scale > max)) throw new ExecutionError(message);
}

function isHalf({ unscaled, scale }: Decimal): boolean {
  return unscaled === 5n && scale === 1;
}

/** The 64-bit integer that is its own negation: the reference recurses for its power until the stack overflows. */
const endlessExponent = -(2n ** 63n);

/** @throws WorkRefused no reference node could complete a block with it */
function refuseEndless({ unscaled, scale }: Decimal, { environment }: CallContext): void {
  if (environment.mayRefuseWork && unscaled === endlessExponent * powerOfTen(scale)) {
    throw new WorkRefused("a power with an exponent of -2^63 ends the thread of a reference node");
  }
}

function powerOrRoot(base: Decimal, exponent: Decimal, precision: Precision): Decimal {
  return isHalf(exponent) ? squareRoot(base, precision) : power(base, exponent, precision);
}

/** The number with that many decimals, as an integer. @throws ExecutionError more digits than the precision */
function withDecimals(value: Decimal, decimals: number, rounding: Rounding, { digits }: Precision): bigint {
  const surplus = value.scale - decimals;
  if (surplus > digits - 1) return 0n;
  if (surplus > 0) return divideRounded(value.unscaled, 10n ** BigInt(surplus), rounding);
  if (-surplus > digits - 1) throw new ExecutionError("Pow overflow");
  return value.unscaled * 10n ** BigInt(-surplus);
}

/** Digits that a reference node writes at once; in the worst case it has to write about 600,000,000. */
const maxSafeShift = 100_000;

/** @throws WorkRefused */
function refuseLong(surplus: number, { environment }: CallContext): void {
  if (environment.mayRefuseWork && Math.abs(surplus) > maxSafeShift) {
    throw new WorkRefused("a power has so many digits that a reference node may end with it");
  }
}

/** A number shifted by more decimals is 0 or out of every range. */
const maxShift = 1_000;
/** Digits of Java's longest integers, which have 2^31 bits. */
const maxDigits = 646_456_993;

function withOldDecimals(value: Decimal, decimals: number, rounding: Rounding): bigint {
  const surplus = value.scale - decimals;
  if (surplus > 0) return divideRounded(value.unscaled, 10n ** BigInt(Math.min(surplus, maxShift)), rounding);
  if (value.unscaled !== 0n && -surplus > maxDigits) {
    throw new ExecutionError("BigInteger would overflow supported range");
  }
  return value.unscaled * 10n ** BigInt(Math.min(-surplus, maxShift));
}

function powerOf(
  base: Decimal,
  exponent: Decimal,
  decimals: number,
  rounding: Rounding,
  { context, precisions }: { context: CallContext; precisions: { readonly new: Precision; readonly old: Precision } },
): bigint {
  const isNew = hasNewPrecision(context);
  const precision = isNew ? precisions.new : precisions.old;
  const result = powerOrRoot(base, exponent, precision);
  if (isNew) return withDecimals(result, decimals, rounding, precision);
  refuseLong(result.scale - decimals, context);
  return withOldDecimals(result, decimals, rounding);
}

function logarithmOf(
  base: Decimal,
  exponent: Decimal,
  decimals: number,
  rounding: Rounding,
  precision: Precision,
): bigint {
  const result = divide(logarithm(base, precision), logarithm(exponent, precision), precision);
  return withOldDecimals(result, decimals, rounding);
}

function decimal(unscaled: bigint, scale: bigint): Decimal {
  return { unscaled, scale: Number(scale) };
}

function intPower(until: 4 | 8, types: string) {
  return native(108, `pow(${intParameters(types)}): Int`, {
    since: until === 4 ? 3 : 5,
    ...(until === 4 ? { until } : {}),
    complexity: until === 4 ? 100 : { 5: 100, 6: 28 },
    takes: intKinds,
    usage: powUsage,
    evaluate: ([base, bp, exponent, ep, rp, round], context) => {
      checkScales([bp, ep, rp], 8n, "pow: scale out of range 0-8");
      refuseEndless(decimal(exponent, ep), context);
      const result = powerOf(decimal(base, bp), decimal(exponent, ep), Number(rp), roundingOf(round), {
        context,
        precisions: intPrecisions,
      });
      if (BigInt.asIntN(64, result) === result) return result;
      throw new NativeFailure("java.lang.ArithmeticException", "BigInteger out of long range");
    },
  });
}

function intLogarithm(until: 4 | 8, types: string) {
  return native(109, `log(${intParameters(types)}): Int`, {
    since: until === 4 ? 3 : 5,
    ...(until === 4 ? { until } : {}),
    complexity: 100,
    takes: intKinds,
    usage: logUsage,
    evaluate: ([base, bp, exponent, ep, rp, round]) => {
      checkScales([bp, ep, rp], 8n, "log: scale out of range 0-8");
      const rounding = roundingOf(round);
      const result = logarithmOf(decimal(base, bp), decimal(exponent, ep), Number(rp), rounding, oldIntPrecision);
      if (BigInt.asIntN(64, result) === result) return result;
      throw new ExecutionError("BigInteger out of long range");
    },
  });
}

/** Adds the operation to errors of BigInt functions. */
function inOperation<Result>(operation: string, compute: () => Result): Result {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof ExecutionError) || error instanceof NativeFailure) throw error;
    throw new ExecutionError(`${error.message} on BigInt ${operation} calculation`);
  }
}

export const powerFunctions: readonly LibraryFunction[] = [
  intPower(4, allRounds),
  intPower(8, rounds),
  intLogarithm(4, allRounds),
  intLogarithm(8, rounds),
  native(118, `pow(${bigParameters}): BigInt`, {
    since: 5,
    complexity: { 5: 200, 6: 270 },
    takes: bigKinds,
    usage: "pow(base: BigInt, bp: Int, exponent:Big Int, ep: Int, rp: Int, round: Rounds)",
    evaluate: ([base, bp, exponent, ep, rp, round], context) => {
      checkScales([bp, ep, rp], 18n, "pow: scale out of range 0-18");
      const rounding = roundingOf(round);
      refuseEndless(decimal(exponent.integer, ep), context);
      return inOperation("pow", () => {
        const result = powerOf(decimal(base.integer, bp), decimal(exponent.integer, ep), Number(rp), rounding, {
          context,
          precisions: bigPrecisions,
        });
        if (result <= MAX_BIG_INTEGER && result >= MIN_BIG_INTEGER) return new BigInteger(result);
        throw new ExecutionError("Result out of 512-bit range");
      });
    },
  }),
  native(119, `log(${bigParameters}): BigInt`, {
    since: 5,
    complexity: 200,
    takes: bigKinds,
    usage: "log(exponent: BigInt, ep: Int, base:Big Int, bp: Int, rp: Int, round: Rounds)",
    evaluate: ([base, bp, exponent, ep, rp, round]) =>
      inOperation("log", () => {
        checkScales([bp, ep, rp], 18n, "Scale out of range 0-18");
        const rounding = roundingOf(round);
        const args = [decimal(base.integer, bp), decimal(exponent.integer, ep)] as const;
        return new BigInteger(logarithmOf(...args, Number(rp), rounding, bigPrecision));
      }),
  }),
  composed(`sqrt(@number: Int, @precision: Int, @resultPrecision: Int, @round: ${rounds}): Int`, {
    since: 6,
    complexity: 2,
    body: call(
      108,
      ref("@number"),
      ref("@precision"),
      constant(5n),
      constant(1n),
      ref("@resultPrecision"),
      ref("@round"),
    ),
  }),
  composed(`sqrt(@number: BigInt, @precision: Int, @resultPrecision: Int, @round: ${rounds}): BigInt`, {
    since: 6,
    internalName: "sqrtBigInt",
    complexity: 5,
    body: call(
      118,
      ref("@number"),
      ref("@precision"),
      constant(new BigInteger(5n)),
      constant(1n),
      ref("@resultPrecision"),
      ref("@round"),
    ),
  }),
];

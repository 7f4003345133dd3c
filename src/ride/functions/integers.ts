/**
 * Arithmetic of Int: 64 bits, every overflow is an error.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala
 */
import { ExecutionError } from "../execution-error.ts";
import { BigInteger, unit } from "../values/value.ts";
import { composed, type LibraryFunction, native } from "./function-definition.ts";
import { parseDigits } from "./parse-digits.ts";
import { divideRounded, roundingOf } from "./rounding.ts";
import { call, constant, ref } from "./tree.ts";

const bothInt = ["Int", "Int"] as const;

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new ExecutionError("long overflow");
  return value;
}

/** Rounds towards negative infinity. */
function floorDivide(left: bigint, right: bigint): bigint {
  const quotient = left / right;
  return quotient * right !== left && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new ExecutionError("/ by zero");
  return value;
}

const parts = "value: Int, numerator: Int, denominator: Int";
const maxInt = 2n ** 63n - 1n;
const minInt = -(2n ** 63n);
/** First version with both ends of the range. */
const wholeRangeSince = 5;

/** Digits of the longest integer. */
const longDigits = 19;

export const integerFunctions: readonly LibraryFunction[] = [
  native(100, "+(a: Int, b: Int): Int", {
    since: 1,
    complexity: 1,
    takes: bothInt,
    evaluate: ([a, b]) => inRange(a + b),
  }),
  native(101, "-(a: Int, b: Int): Int", {
    since: 1,
    complexity: 1,
    takes: bothInt,
    evaluate: ([a, b]) => inRange(a - b),
  }),
  native(102, ">(a: Int, b: Int): Boolean", {
    since: 1,
    complexity: 1,
    takes: bothInt,
    evaluate: ([a, b]) => a > b,
  }),
  native(103, ">=(a: Int, b: Int): Boolean", {
    since: 1,
    complexity: 1,
    takes: bothInt,
    evaluate: ([a, b]) => a >= b,
  }),
  native(104, "*(a: Int, b: Int): Int", {
    since: 1,
    complexity: 1,
    takes: bothInt,
    evaluate: ([a, b]) => inRange(a * b),
  }),
  native(105, "/(a: Int, b: Int): Int", {
    since: 1,
    complexity: 1,
    takes: bothInt,
    // The quotient of the lowest number and -1 is the lowest number, as in the reference's arithmetic.
    evaluate: ([a, b]) => BigInt.asIntN(64, floorDivide(a, divisor(b))),
  }),
  native(106, "%(a: Int, b: Int): Int", {
    since: 1,
    complexity: 1,
    takes: bothInt,
    evaluate: ([a, b]) => a - floorDivide(a, divisor(b)) * b,
  }),
  native(107, `fraction(${parts}): Int`, {
    since: 1,
    complexity: { 1: 1, 5: 14, 6: 1 },
    takes: ["Int", "Int", "Int"],
    evaluate: ([value, numerator, denominator], { libraryVersion }) => {
      if (denominator === 0n) throw new ExecutionError("Fraction: division by zero");
      const result = (value * numerator) / denominator;
      const margin = libraryVersion >= wholeRangeSince ? 0n : 1n;
      if (result > maxInt - margin) {
        throw new ExecutionError(`Long overflow: value \`${result}\` greater than 2^63-1`);
      }
      if (result < minInt + margin) throw new ExecutionError(`Long overflow: value \`${result}\` less than -2^63-1`);
      return result;
    },
  }),
  composed(
    "fraction(@value: Int, @numerator: Int, @denominator: Int, @round: Ceiling|Down|Floor|HalfEven|HalfUp): Int",
    {
      since: 5,
      until: 5,
      complexity: 17,
      body: call(
        416,
        call(
          317,
          call(310, ref("@value")),
          call(310, ref("@numerator")),
          call(310, ref("@denominator")),
          ref("@round"),
        ),
      ),
    },
  ),
  native(110, `fraction(${parts}, round: Ceiling|Down|Floor|HalfEven|HalfUp): Int`, {
    since: 6,
    complexity: 1,
    takes: ["Int", "Int", "Int", "Object"],
    evaluate: ([value, numerator, denominator, round]) => {
      if (denominator === 0n) throw new ExecutionError("Fraction: division by zero");
      const result = divideRounded(value * numerator, denominator, roundingOf(round));
      if (BigInt.asIntN(64, result) !== result) {
        throw new ExecutionError(`Fraction result ${result} out of integers range`);
      }
      return result;
    },
  }),
  composed("-(@n: Int): Int", {
    since: 1,
    complexity: { 1: 9, 3: 1 },
    body: call(101, constant(0n), ref("@n")),
  }),
  native(1206, "parseInt(str: String): Int|Unit", {
    since: 3,
    complexity: { 3: 20, 4: 2 },
    takes: ["String"],
    evaluate: ([{ text }]) => {
      const value = parseDigits(text, longDigits);
      return value === undefined || BigInt.asIntN(64, value) !== value ? unit : value;
    },
  }),
  composed("parseIntValue(str: String): Int", {
    since: 3,
    complexity: { 3: 20, 4: 2 },
    body: call("valueOrErrorMessage", call(1206, ref("str")), constant("Error while parsing string to integer")),
  }),
  native(1201, "toInt(bin: ByteVector): Int", {
    since: 3,
    complexity: { 3: 10, 4: 1 },
    takes: ["ByteVector"],
    usage: "toInt(u: ByteVector)",
    evaluate: ([bytes]) => {
      if (bytes.length < 8) throw new ExecutionError("Buffer underflow");
      return longAt(bytes, 0);
    },
  }),
  native(1202, "toInt(bin: ByteVector, offset: Int): Int", {
    since: 3,
    complexity: { 3: 10, 4: 1 },
    takes: ["ByteVector", "Int"],
    usage: "toInt(u: ByteVector, off: Int)",
    evaluate: ([bytes, offset]) => {
      if (offset < 0n || offset > BigInt(bytes.length - 8)) throw new ExecutionError("IndexOutOfBounds");
      return longAt(bytes, Number(offset));
    },
  }),
  native(310, "toBigInt(n: Int): BigInt", {
    since: 5,
    complexity: 1,
    takes: ["Int"],
    evaluate: ([n]) => new BigInteger(n),
  }),
];

function longAt(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(offset);
}

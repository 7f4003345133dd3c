/**
 * Arithmetic of BigInt: 512 bits, every overflow is an error.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala
 */
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { Text } from "../values/text.ts";
import { BigInteger, unit, type Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import { type LibraryFunction, type NativeFunction, native } from "./function-definition.ts";
import { parseDigits } from "./parse-digits.ts";
import { divideRounded, roundingOf } from "./rounding.ts";

export const MAX_BIG_INTEGER = 2n ** 511n - 1n;
export const MIN_BIG_INTEGER = -(2n ** 511n);
const minSmall = -(2n ** 63n);
const maxBytes = 64;
/** Length of the lowest number with its sign. */
const maxCharacters = 155;
/** Complexities by version: 1 since version 8. */
const cheap = (until7: number) => ({ 5: until7, 8: 1 });

function isInRange(value: bigint): boolean {
  return value >= MIN_BIG_INTEGER && value <= MAX_BIG_INTEGER;
}

function operator(
  id: number,
  name: string,
  complexity: number,
  compute: (left: bigint, right: bigint) => bigint,
): NativeFunction {
  return native(id, `${name}(a: BigInt, b: BigInt): BigInt`, {
    since: 5,
    complexity: cheap(complexity),
    takes: ["Any", "Any"],
    evaluate: ([a, b]) => {
      const [left, right] = bigPair(a, b, name);
      const result = compute(left, right);
      if (!isInRange(result)) throw new ExecutionError(`${left} ${name} ${right} is out of range.`);
      return new BigInteger(result);
    },
  });
}

function bigPair(a: Value, b: Value, name: string): readonly [bigint, bigint] {
  if (a instanceof BigInteger && b instanceof BigInteger) return [a.integer, b.integer];
  throw new ExecutionError(`Unexpected args (${valueText(a)},${valueText(b)}) for BigInt operator '${name}'`);
}

/** Checks the divisor. The reference divides small numbers in another way, with another error text. */
function divisorOf(dividend: bigint, divisor: bigint): bigint {
  if (divisor !== 0n) return divisor;
  const isSmall = dividend > minSmall && dividend < -minSmall;
  throw new ExecutionError(isSmall ? "/ by zero" : "BigInteger divide by zero");
}

function fractionOf(result: bigint): BigInteger {
  if (result > MAX_BIG_INTEGER) throw new ExecutionError(`Long overflow: value \`${result}\` greater than 2^511-1`);
  if (result < MIN_BIG_INTEGER) throw new ExecutionError(`Long overflow: value \`${result}\` less than -2^511`);
  return new BigInteger(result);
}

/** Two's complement, most significant byte first. */
function signedInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** Shortest two's complement of the value. */
function signedBytes(value: bigint): Uint8Array {
  let sizeBytes = 1;
  while (BigInt.asIntN(sizeBytes * 8, value) !== value) sizeBytes++;
  const bytes = new Uint8Array(sizeBytes);
  let rest = value;
  for (let index = sizeBytes - 1; index >= 0; index--) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

/** Error of Java's parser for the number. */
function parseFailure(text: string): NativeFailure {
  const digits = /^[-+]/.test(text) ? text.slice(1) : text;
  const reason =
    digits === ""
      ? "Zero length BigInteger"
      : /[-+]/.test(digits)
        ? "Illegal embedded sign character"
        : `For input string: "${wrongGroup(digits)}"`;
  return new NativeFailure("java.lang.NumberFormatException", reason);
}

/** First invalid group: Java parses numbers in groups of nine digits, with the shorter one first. */
function wrongGroup(digits: string): string {
  const groupDigits = 9;
  let start = 0;
  while (start < digits.length - 1 && parseDigits(digits.charAt(start)) === 0n) start++;
  let end = start + ((digits.length - start) % groupDigits || groupDigits);
  while (parseDigits(digits.slice(start, end)) !== undefined && end < digits.length) {
    start = end;
    end += groupDigits;
  }
  return digits.slice(start, end);
}

const fractionParameters = "value: BigInt, numerator: BigInt, denominator: BigInt";

export const bigIntegerFunctions: readonly LibraryFunction[] = [
  operator(311, "+", 8, (left, right) => left + right),
  operator(312, "-", 8, (left, right) => left - right),
  operator(313, "*", 64, (left, right) => left * right),
  operator(314, "/", 64, (left, right) => left / divisorOf(left, right)),
  operator(315, "%", 64, (left, right) => left % divisorOf(left, right)),
  native(316, `fraction(${fractionParameters}): BigInt`, {
    since: 5,
    complexity: { 5: 128, 6: 1 },
    takes: ["BigInt", "BigInt", "BigInt"],
    evaluate: ([value, numerator, denominator]) => {
      if (denominator.integer === 0n) throw new ExecutionError("Fraction: division by zero");
      return fractionOf((value.integer * numerator.integer) / denominator.integer);
    },
  }),
  native(317, `fraction(${fractionParameters}, round: Ceiling|Down|Floor|HalfEven|HalfUp): BigInt`, {
    since: 5,
    complexity: { 5: 128, 6: 1 },
    takes: ["BigInt", "BigInt", "BigInt", "Object"],
    evaluate: ([value, numerator, denominator, round]) => {
      if (denominator.integer === 0n) throw new ExecutionError("Fraction: division by zero");
      const rounding = roundingOf(round);
      return fractionOf(divideRounded(value.integer * numerator.integer, denominator.integer, rounding));
    },
  }),
  native(318, "-(n: BigInt): BigInt", {
    since: 5,
    complexity: cheap(8),
    takes: ["BigInt"],
    evaluate: ([n]) => {
      if (n.integer === MIN_BIG_INTEGER) throw new ExecutionError("Positive BigInt overflow");
      return new BigInteger(-n.integer);
    },
  }),
  native(319, ">(a: BigInt, b: BigInt): Boolean", {
    since: 5,
    complexity: cheap(8),
    takes: ["BigInt", "BigInt"],
    usage: ">(a: BIGINT, b: BIGINT)",
    evaluate: ([a, b]) => a.integer > b.integer,
  }),
  native(320, ">=(a: BigInt, b: BigInt): Boolean", {
    since: 5,
    complexity: cheap(8),
    takes: ["BigInt", "BigInt"],
    usage: ">=(a: BIGINT, b: BIGINT)",
    evaluate: ([a, b]) => a.integer >= b.integer,
  }),
  native(413, "toBytes(n: BigInt): ByteVector", {
    since: 5,
    complexity: cheap(65),
    takes: ["BigInt"],
    evaluate: ([n]) => signedBytes(n.integer),
  }),
  native(414, "toBigInt(n: ByteVector): BigInt", {
    since: 5,
    complexity: cheap(65),
    takes: ["ByteVector"],
    usage: "toBigInt(n: ByteStr)",
    evaluate: ([bytes]) => {
      if (bytes.length > maxBytes) {
        throw new ExecutionError(`Too big ByteVector for BigInt (${bytes.length} > ${maxBytes} bytes)`);
      }
      return bigIntegerOf(bytes);
    },
  }),
  native(415, "toBigInt(n: ByteVector, off: Int, size: Int): BigInt", {
    since: 5,
    complexity: cheap(65),
    takes: ["ByteVector", "Int", "Int"],
    usage: "toBigInt(n: ByteStr, offset: Int, size: Int)",
    evaluate: ([bytes, offset, size]) => {
      if (offset < 0n || offset > BigInt(bytes.length) || size > BigInt(maxBytes) || size <= 0n) {
        throw new ExecutionError(`ByteStr too long (${size} > ${maxBytes} bytes)`);
      }
      return bigIntegerOf(bytes.subarray(Number(offset), Number(offset + size)));
    },
  }),
  native(416, "toInt(n: BigInt): Int", {
    since: 5,
    complexity: 1,
    takes: ["BigInt"],
    usage: "toBigInt(n: Int)",
    evaluate: ([{ integer }]) => {
      if (BigInt.asIntN(64, integer) !== integer) {
        throw new ExecutionError(`toInt: BigInt ${integer} out of integers range`);
      }
      return integer;
    },
  }),
  native(422, "toString(n: BigInt): String", {
    since: 5,
    complexity: { 5: 65, 6: 1 },
    takes: ["BigInt"],
    evaluate: ([n]) => new Text(String(n.integer)),
  }),
  native(423, "parseBigIntValue(n: String): BigInt", {
    since: 5,
    complexity: cheap(65),
    takes: ["String"],
    evaluate: ([{ text }]) => {
      if (text.length > maxCharacters) {
        throw new ExecutionError(
          `String too long for 512-bits big integers (${text.length} when max is ${maxCharacters})`,
        );
      }
      const value = parseDigits(text);
      if (value === undefined) throw parseFailure(text);
      if (!isInRange(value)) throw new ExecutionError("Value too big for 512-bits big integer");
      return new BigInteger(value);
    },
  }),
  native(424, "parseBigInt(n: String): BigInt|Unit", {
    since: 5,
    complexity: cheap(65),
    takes: ["String"],
    evaluate: ([{ text }]) => {
      const value = text.length > maxCharacters ? undefined : parseDigits(text);
      return value === undefined || !isInRange(value) ? unit : new BigInteger(value);
    },
  }),
];

function bigIntegerOf(bytes: Uint8Array): BigInteger {
  if (bytes.length > 0) return new BigInteger(signedInteger(bytes));
  throw new NativeFailure("java.lang.NumberFormatException", "Zero length BigInteger");
}

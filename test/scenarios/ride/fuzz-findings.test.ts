/** Differences from the reference that the fuzzer found, one test for each. */
import { expect, test } from "vitest";
import { addressOfEthereumKey } from "../../../src/crypto/ethereum-key.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { evaluateCall } from "../../../src/ride/evaluator/evaluation-result.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { call, constant, get, ref } from "../../../src/ride/functions/tree.ts";
import { type Invocation, knownId } from "../../../src/ride/objects/invocation.ts";
import type { DApp, Expression } from "../../../src/ride/script/expression.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List, type Structure, unit, type Value } from "../../../src/ride/values/value.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const linkOptions = {
  libraryVersion: 6,
  content: "dApp",
  guards: "account",
  chainId: 82,
  hasLexicalScope: true,
} as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: true,
  hasSynchronousCallFixes: true,
};

const complexityLimit = 52_000;

function evaluated(expression: Expression): Value | undefined {
  const environment = { ...pureEnvironment(linkOptions), transactionId: () => new Uint8Array(32) };
  return evaluate(expression, linkOptions, { environment, rules, complexityLimit }).value;
}

/** Error message of an expression without a value. */
function complaintOf(expression: Expression): string {
  try {
    evaluated(expression);
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
  throw new Error("there is a value");
}

function text(content: string): Expression {
  return constant(new Text(content));
}

function list(...items: readonly Expression[]): Expression {
  return items.reduceRight<Expression>((tail, head) => call(1100, head, tail), ref("nil"));
}

const ecrecover = 900;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const run = "An error during run <ecrecover(message hash: ByteVector, signature: ByteVector): ByteVector>: class";

test.each([
  [0n, "java.lang.IllegalArgumentException Invalid point compression"],
  [5n, "java.lang.IllegalArgumentException Invalid point compression"],
  [order, "java.lang.ArithmeticException BigInteger not invertible."],
  [2n ** 256n - 1n, "java.security.SignatureException Could not recover public key from signature"],
])("ecrecover reports why there is no key for r = %d", (r, complaint) => {
  const signature = new Uint8Array(65);
  signature.set(Buffer.from(r.toString(16).padStart(64, "0"), "hex"));
  signature[63] = 1;
  const expression = call(ecrecover, constant(new Uint8Array(32).fill(7)), constant(signature));
  expect(complaintOf(expression)).toBe(`${run} ${complaint}`);
});

test.each([4, 7, 31, 34])("ecrecover refuses the header %d, whose key would be compressed", (header) => {
  const signature = new Uint8Array(65).fill(1);
  signature[64] = header;
  const expression = call(ecrecover, constant(new Uint8Array(32).fill(7)), constant(signature));
  expect(complaintOf(expression)).toBe(`${run} java.lang.RuntimeException recId must be in the range of [0, 3]`);
});

test("a call in an evaluation has a list of payments in version 3, too", () => {
  const anonymous = new Uint8Array(32);
  const invocation: Invocation = {
    caller: anonymous,
    callerPublicKey: anonymous,
    originCaller: anonymous,
    originCallerPublicKey: anonymous,
    transactionId: knownId(anonymous),
    feeWavelets: 500_000n,
    feeAssetId: null,
    payments: [],
  };
  const dApp: DApp = {
    meta: { version: 1, functions: [], compactNames: [], originalNames: [] },
    declarations: [],
    callables: [
      { argument: "i", function: { kind: "function", name: "f", parameters: [], body: get(ref("i"), "payments") } },
    ],
    verifier: undefined,
  };
  const setting = {
    dApp,
    linkOptions: { ...linkOptions, libraryVersion: 3 },
    environment: pureEnvironment(),
    rules,
    complexityLimit,
  };
  expect(evaluateCall("f", [], invocation, setting)).toMatchObject({ kind: "value", value: new List([]) });
  expect(evaluateCall("g", [], invocation, setting)).toEqual({
    kind: "refusal",
    message: "@Callable function 'g' doesn't exist in the script",
  });
});

const addressFromPublicKey = 1063;

test("addressFromPublicKey takes a key of 64 bytes for one of Ethereum", () => {
  const key = Uint8Array.from({ length: 64 }, (_, index) => index);
  const address = evaluated(call(addressFromPublicKey, constant(key))) as Structure;
  expect(address.fields.get("bytes")).toEqual(addressOfEthereumKey(key, linkOptions.chainId));
});

test.each([0, 31, 33, 65])("addressFromPublicKey reports only that %d bytes are no key", (length) => {
  expect(complaintOf(call(addressFromPublicKey, constant(new Uint8Array(length))))).toBe(
    `requirement failed: invalid public key length: ${length}`,
  );
});

const getIntegerOfList = 1040;
const getStringOfList = 1043;
const entryTypes = "BinaryEntry|BooleanEntry|DeleteEntry|IntegerEntry|StringEntry";
const inGetter = `An error during run <getInteger(data: List[${entryTypes}], key: String): Int|Unit>: class `;

test("getInteger of a list fails at an entry that has no value", () => {
  const entries = list(call("DeleteEntry", text("e")));
  expect(complaintOf(call(getIntegerOfList, entries, text("e")))).toBe(
    `${inGetter}java.util.NoSuchElementException key not found: value`,
  );
  expect(evaluated(call(getIntegerOfList, entries, text("f")))).toBe(unit);
});

test("getInteger of a list fails at an invalid entry, if it comes before the match", () => {
  const entry = call("IntegerEntry", text("e"), constant(5n));
  expect(evaluated(call(getIntegerOfList, list(entry, constant(1n)), text("e")))).toBe(5n);
  expect(complaintOf(call(getIntegerOfList, list(constant(1n), entry), text("e")))).toMatch(
    /java\.lang\.ClassCastException .*CONST_LONG cannot be cast .*CaseObj/,
  );
  expect(complaintOf(call(getIntegerOfList, list(ref("unit"), entry), text("e")))).toBe(
    `${inGetter}java.util.NoSuchElementException key not found: key`,
  );
});

test("a key of a list that is too long for a value equals none", () => {
  const long = text("k".repeat(32_768));
  expect(evaluated(call(getStringOfList, list(call("StringEntry", long, text("v"))), long))).toBe(unit);
});

const tuplePair = 1300;
const issue = 1091;
const lease = 1093;
/** More than 7 times 32,767 bytes, so that a pair of it with itself is too heavy. */
const heavy = list(...Array.from({ length: 7 }, () => constant(new Uint8Array(32_767))));

test.each([
  ["Tuple", call(tuplePair, heavy, heavy)],
  ["Issue", call(issue, heavy, heavy, constant(1n), constant(1n), constant(true), ref("unit"), constant(0n))],
  ["Lease", call(lease, heavy, heavy, constant(0n))],
])("a %s that is too heavy is refused", (type, expression) => {
  expect(complaintOf(expression)).toContain(`the object ${type} is too heavy. Actual weight: `);
});

const calculateAssetId = 1080;

test("calculateAssetId fails where isReissuable is no Boolean", () => {
  const made = call(issue, text("n"), text("d"), constant(1n), constant(1n), constant(1n), ref("unit"), constant(0n));
  expect(complaintOf(call(calculateAssetId, made))).toMatch(/CONST_LONG cannot be cast .*CONST_BOOLEAN/);
});

test("the types of a tuple with a wrong number of values are named by their letters' codes", () => {
  expect(complaintOf(call(tuplePair, constant(1n)))).toBe("Can't apply (CONST_LONG) to '(65, 66)'");
});

test("value without arguments reads an empty list", () => {
  expect(complaintOf(call("value"))).toBe("head of empty list");
});

test("value makes its message before it knows whether it is needed", () => {
  const long = text("k".repeat(32_767));
  const entry = call("IntegerEntry", long, constant(5n));
  expect(complaintOf(call("value", call(getIntegerOfList, list(entry), long)))).toMatch(
    /^CommonError\(String size=\d+ exceeds 32767 bytes\)$/,
  );
});

/** What the fuzzer found to differ from the reference, one test for each difference. */
import { expect, test } from "vitest";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { answerCall } from "../../../src/ride/evaluator/evaluation-answer.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { call, constant, get, ref } from "../../../src/ride/functions/tree.ts";
import type { Invocation } from "../../../src/ride/objects/invocation.ts";
import type { DApp, Expression } from "../../../src/ride/script/expression.ts";
import { List } from "../../../src/ride/values/value.ts";
import { pureEnvironment } from "../pure-environment.ts";

const facts = { libraryVersion: 6, content: "dApp", guards: "account", chainId: 82, hasLexicalScope: true } as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: true,
  hasSynchronousCallFixes: true,
};

const complexityLimit = 52_000;

/** The complaint of an expression that comes to no value. */
function complaintOf(expression: Expression): string {
  try {
    evaluate(expression, facts, { environment: pureEnvironment(), rules, complexityLimit });
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
  throw new Error("there is a value");
}

const ecrecover = 900;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const run = "An error during run <ecrecover(message hash: ByteVector, signature: ByteVector): ByteVector>: class";

test.each([
  [0n, "java.lang.IllegalArgumentException Invalid point compression"],
  [5n, "java.lang.IllegalArgumentException Invalid point compression"],
  [order, "java.lang.ArithmeticException BigInteger not invertible."],
  [2n ** 256n - 1n, "java.security.SignatureException Could not recover public key from signature"],
])("ecrecover tells why there is no key for r = %d", (r, complaint) => {
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

test("a call that is only asked about finds a list of payments in version 3, too", () => {
  const nobody = new Uint8Array(32);
  const invocation: Invocation = {
    caller: nobody,
    callerPublicKey: nobody,
    originCaller: nobody,
    originCallerPublicKey: nobody,
    transactionId: nobody,
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
    facts: { ...facts, libraryVersion: 3 },
    environment: pureEnvironment(),
    rules,
    complexityLimit,
  };
  expect(answerCall("f", [], invocation, setting)).toMatchObject({ kind: "value", value: new List([]) });
  expect(answerCall("g", [], invocation, setting)).toEqual({
    kind: "refusal",
    message: "@Callable function 'g' doesn't exist in the script",
  });
});

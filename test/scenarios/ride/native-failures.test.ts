/** Native functions that throw an exception of the reference's virtual machine: all complexity is spent. */
import { expect, test } from "vitest";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { call, constant } from "../../../src/ride/functions/tree.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const linkOptions = { content: "dApp", guards: "account", chainId: 82, hasLexicalScope: true } as const;
const rules = { isNewMode: true, hasFixedThrownError: true, checksConstructorArguments: false };
const complexityLimit = 26_000;
const environment = { ...pureEnvironment(), transactionId: () => new Uint8Array(32) };

function failureOf(expression: Expression, libraryVersion: number, hasSynchronousCallFixes = true) {
  try {
    evaluate(
      expression,
      { ...linkOptions, libraryVersion },
      { environment, rules: { ...rules, hasSynchronousCallFixes }, complexityLimit },
    );
  } catch (error) {
    if (error instanceof ScriptError) return { message: error.message, unused: error.unusedComplexity };
    throw error;
  }
  throw new Error("there is a value");
}

const address = call("Address");
const alias = call("Alias");
const bytes = constant(new Uint8Array(0));

test.each([
  ["toString(Address: Address): String", call(1061, address), 5, "bytes"],
  [
    "assetBalance(addressOrAlias: Address|Alias, assetId: ByteVector|Unit): Int",
    call(1003, address, bytes),
    3,
    "bytes",
  ],
  ["assetBalance(addressOrAlias: Address|Alias, assetId: ByteVector): Int", call(1008, address, bytes), 5, "bytes"],
  ["wavesBalance(addressOrAlias: Address|Alias): Int", call(1007, address), 5, "bytes"],
  ["wavesBalance(addressOrAlias: Address|Alias): Int", call(1007, alias), 5, "alias"],
  ["scriptHash(account: Address|Alias): ByteVector|Unit", call(1009, address), 5, "bytes"],
  ["addressFromRecipient(AddressOrAlias: Address|Alias): Address", call(1060, alias), 5, "alias"],
  ["calculateLeaseId(lease: Lease): ByteVector", call(1081, call(1092, address, constant(1n))), 5, "bytes"],
  ["calculateDelay(generator: Address, balance: Int): Int", call(901, address, constant(1n)), 8, "bytes"],
] as const)("%s of an object without its field", (shown, expression, libraryVersion, field) => {
  const message = `An error during run <${shown}>: class java.util.NoSuchElementException key not found: ${field}`;
  expect(failureOf(expression, libraryVersion)).toEqual({ message, unused: 0 });
});

test("toString of an address without bytes", () => {
  const { message, unused } = failureOf(call(1061, call("Address", constant(1n))), 5);
  expect(message).toContain(
    "class java.lang.ClassCastException class com.wavesplatform.lang.v1.compiler.Terms$CONST_LONG",
  );
  expect(unused).toBe(0);
});

test("reads of data refuse an object without its field", () => {
  const read = call(1050, address, constant(new Text("k")));
  expect(failureOf(read, 5)).toEqual({ message: "Can't find 'bytes'", unused: complexityLimit - 11 });
});

test("split with parts that are too long, until its argument was limited", () => {
  const long = constant(new Text("a".repeat(40_000)));
  const split = call(1205, long, constant(new Text(",")));
  expect(failureOf(split, 3, false)).toEqual({
    message:
      "An error during run <split(str: String, separator: String): List[String]>: class java.lang.RuntimeException CommonError(String size=40000 exceeds 32767 bytes)",
    unused: 0,
  });
  expect(failureOf(split, 3)).toEqual({
    message: "Input string size = 40000 bytes exceeds limit = 32767 for split",
    unused: complexityLimit - 100,
  });
});

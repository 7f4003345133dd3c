import { expect, test } from "vitest";
import { Text } from "../../../src/ride/values/text.ts";
import { BigInteger, equalValues, List, Structure, tupleOf, typeNameOf, unit } from "../../../src/ride/values/value.ts";
import { logText, valueText } from "../../../src/ride/values/value-text.ts";

const address = new Structure("Address", new Map([["bytes", Uint8Array.of(1, 2)]]));

test("more than four fields are printed in the order of the reference's hash trie", () => {
  const invocation = ["caller", "callerPublicKey", "transactionId", "fee", "feeAssetId", "originCaller"];
  const fields = [...invocation, "originCallerPublicKey", "payments"].map((name) => [name, 1n] as const);
  const printed = [...valueText(new Structure("Invocation", new Map(fields))).matchAll(/\t(\w+)/g)];
  expect(printed.map(([, name]) => name).join()).toBe(
    "originCaller,payments,callerPublicKey,feeAssetId,originCallerPublicKey,transactionId,caller,fee",
  );
  const few = new Structure("Few", new Map(["d", "c", "b", "a"].map((name) => [name, 1n])));
  expect(valueText(few)).toBe("Few(\n\td = 1\n\tc = 1\n\tb = 1\n\ta = 1\n)");
});

test("values print themselves without quotes at the top level and with quotes inside", () => {
  expect(valueText(new Text("a'b"))).toBe("a'b");
  expect(valueText(Uint8Array.of(1, 2))).toBe("5T");
  expect(valueText(new List([new Text("a'b"), 1n, true, new BigInteger(-5n)]))).toBe('["a\\\'b", 1, true, -5]');
  expect(valueText(address)).toBe("Address(\n\tbytes = base58'5T'\n)");
  expect(valueText(unit)).toBe("Unit");
});

test("logs indent lists and objects", () => {
  expect(logText(new List([1n, new List([]), address]), 1)).toBe(
    "[\n\t\t1,\n\t\t[],\n\t\tAddress(\n\t\t\tbytes = base58'5T'\n\t\t)\n\t]",
  );
});

test("long bytes are printed in base64", () => {
  expect(valueText(new Uint8Array(1024)).startsWith("base64:AAAA")).toBe(true);
  expect(logText(new Uint8Array(1024), 0).startsWith("base58'1111")).toBe(true);
  expect(logText(new Uint8Array(1025), 0).startsWith("base64'AAAA")).toBe(true);
});

test("types are named as pattern matching compares them", () => {
  expect(typeNameOf(new BigInteger(1n))).toBe("BigInt");
  expect(typeNameOf(tupleOf(1n, new Text("")))).toBe("(Int, String)");
  expect(typeNameOf(new List([]))).toBe("List[Any]");
  const many = tupleOf(...new Array<bigint>(9).fill(0n), true, 0n);
  // The fields are sorted as texts: _1, _10, _11, _2, …
  expect(typeNameOf(many)).toBe(`(Int, Boolean${", Int".repeat(9)})`);
});

test("values of different kinds are never equal", () => {
  expect(equalValues(1n, new BigInteger(1n))).toBe(false);
  expect(equalValues(new List([address]), new List([address]))).toBe(true);
  expect(equalValues(new Text(""), new Uint8Array(0))).toBe(false);
  expect(equalValues(tupleOf(1n), tupleOf(1n, 1n))).toBe(false);
});

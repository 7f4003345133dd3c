import { expect, test } from "vitest";
import { callableTypes } from "../../../src/ride/script/dapp-meta.ts";

const meta = { version: 2, compactNames: [], originalNames: [] };

test("a union is described in the order of its types' names", () => {
  const all = Uint8Array.of(0b1111, 0b1101, 0b1001);
  const types = callableTypes({ ...meta, functions: [{ types: all }] });
  expect(types?.[0]?.map((each) => each.types.join("|"))).toEqual([
    "Boolean|ByteVector|Int|String",
    "Boolean|Int|String",
    "Int|String",
  ]);
});

test("a list is described by the bit above its types", () => {
  expect(callableTypes({ ...meta, functions: [{ types: Uint8Array.of(0b10001) }] })).toEqual([
    [{ types: ["Int"], isList: true }],
  ]);
});

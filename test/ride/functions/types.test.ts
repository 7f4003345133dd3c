/** Checks of values against field types. @source Waves: lang/v1/compiler/Types.scala (TypeExt) */
import { expect, test } from "vitest";
import { fitsType, objectTypesOf } from "../../../src/ride/functions/types.ts";
import { List, Structure, unit } from "../../../src/ride/values/value.ts";

test("a field for lists takes no item of such a list", () => {
  const types = objectTypesOf({ libraryVersion: 5, content: "dApp", guards: "account" });
  const typeOf = (object: string, field: string): string => {
    const type = types.get(object);
    return type?.types[type.fields.indexOf(field)] as string;
  };
  const args = typeOf("InvokeScriptTransaction", "args");
  expect([5n, true, new Uint8Array(0)].map((value) => fitsType(value, args))).toEqual([false, false, false]);
  const entry = new Structure("BooleanEntry", new Map());
  expect(fitsType(entry, typeOf("DataTransaction", "data"))).toBe(false);
  expect([unit, new Uint8Array(0)].map((value) => fitsType(value, typeOf("Transfer", "recipient")))).toEqual([
    false,
    false,
  ]);
  expect([unit, new Uint8Array(0)].map((value) => fitsType(value, typeOf("AttachedPayment", "assetId")))).toEqual([
    true,
    true,
  ]);
  expect(fitsType(new List([]), args)).toBe(false);
});

/**
 * Values in JSON.
 * @source Waves: serialization/ScriptValuesJson.scala
 */
import { inHashTableOrder, textHash } from "../../protocol/hash-table-order.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { MAX_PRINTED_LEVELS, tooDeepText } from "./printed-nesting.ts";
import { Text } from "./text.ts";
import { BigInteger, List, type Value } from "./value.ts";
import { bytesText } from "./value-text.ts";

export function valueJson(value: Value): JsonObject {
  return jsonAt(value, 1);
}

/** @param level nesting of the value in the whole, from 1 */
function jsonAt(original: Value, level: number): JsonObject {
  const value = level > MAX_PRINTED_LEVELS ? tooDeepText : original;
  if (typeof value === "bigint") return { type: "Int", value };
  if (typeof value === "boolean") return { type: "Boolean", value };
  if (value instanceof Uint8Array) return { type: "ByteVector", value: bytesText(value) };
  if (value instanceof Text) return { type: "String", value: value.text };
  if (value instanceof BigInteger) return { type: "BigInt", value: value.integer };
  if (value instanceof List) return { type: "Array", value: value.items.map((item) => jsonAt(item, level + 1)) };
  const names = inHashTableOrder([...value.fields.keys()], textHash);
  return {
    type: value.type,
    value: Object.fromEntries(names.map((name) => [name, jsonAt(value.fields.get(name) as Value, level + 1)])),
  };
}

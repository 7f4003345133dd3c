/** The OpenAPI document adapted to Swagger UI, which counts in doubles. */
import { type JsonObject, type JsonValue, jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, parseJson } from "../../src/protocol/parse-json.ts";
import { indentJson } from "./indent-json.ts";

/**
 * Turns examples with integers beyond 2^53 into texts, which are shown and sent unchanged. Bounds beyond it are left
 * out: the format says `int64`.
 * @param text the document, JSON
 */
export function exactDocument(text: string): Record<string, unknown> {
  return plain(parseJson(text) as JsonValue) as Record<string, unknown>;
}

/** Members of a schema that hold values of the interface. */
const exampleNames = ["example", "default", "const"];

function plain(value: JsonValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value as never))
    return typeof value === "object" && value !== null ? Number(jsonText(value)) : value;
  const members = Object.entries(value as JsonObject).flatMap(([name, member]): [string, unknown][] => {
    if (typeof member === "bigint" && !isDouble(member))
      return exampleNames.includes(name) ? [[name, String(member)]] : [];
    if (name === "example" && !isExact(member)) return [[name, indentJson(jsonText(member))]];
    return [[name, plain(member)]];
  });
  return Object.fromEntries(members);
}

function isDouble(value: bigint): boolean {
  return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value));
}

/** True if a value survives its integers becoming doubles. */
function isExact(value: JsonValue): boolean {
  if (typeof value === "bigint") return isDouble(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((member) => isExact(member as JsonValue));
}

/** Random values for JSON schemas. */

import type { SchemaObject } from "../../../scripts/types/open-api-document.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";

export interface ValueSource {
  readonly random: SeededRandom;
  /** Schemas by name. */
  readonly schemas: Readonly<Record<string, SchemaObject>>;
  /** Texts with a meaning to the node: ids, addresses, keys. */
  readonly knownTexts: readonly string[];
}

/** Probability that an optional member is left out. */
const OMITTED = 0.4;
/** Depth below which optional members are left out, because schemas can be recursive. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 3;
const i32 = { least: -(2n ** 31n), most: 2n ** 31n - 1n };
const i64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
/** Most numbers are heights, counts and small amounts. */
const COMMON_INTEGER = 0.7;
const commonIntegers = { least: 0n, most: 120n };

/** A value of the schema. Strings are known or random ones: few formats here can be expressed as a pattern. */
export function schemaValue(schema: SchemaObject, source: ValueSource, depth = 0): JsonValue {
  const { random, schemas } = source;
  if (schema.$ref !== undefined) {
    return schemaValue(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, source, depth);
  }
  if (schema.const !== undefined) return plainValue(schema.const);
  if (schema.enum !== undefined) return plainValue(random.pick(schema.enum));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return schemaValue(random.pick(alternatives), source, depth);
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => schemaValue(part, source, depth) as object)) as JsonValue;
  }
  switch (schema.type) {
    case "integer": {
      const { least, most } = random.boolean(COMMON_INTEGER) ? commonIntegers : schema.format === "int64" ? i64 : i32;
      return random.amount(least, most);
    }
    case "boolean":
      return random.boolean(0.5);
    case "array":
      return arrayValue(schema, source, depth);
    case "object":
      return objectValue(schema, source, depth);
    case "string":
      return textValue(source);
    default:
      return null;
  }
}

/** Constants in schemas are strings, booleans and small numbers. */
function plainValue(value: unknown): JsonValue {
  return value as string | boolean | number | null;
}

function textValue({ random, knownTexts }: ValueSource): string {
  return knownTexts.length > 0 && random.boolean(0.7) ? random.pick(knownTexts) : random.text(random.below(60));
}

function arrayValue({ items, prefixItems }: SchemaObject, source: ValueSource, depth: number): JsonValue {
  if (prefixItems !== undefined) return prefixItems.map((item) => schemaValue(item, source, depth + 1));
  const length = depth > MAX_DEPTH ? 0 : source.random.below(MAX_ITEMS + 1);
  return Array.from({ length }, () => schemaValue(items === false ? {} : (items ?? {}), source, depth + 1));
}

function objectValue(schema: SchemaObject, source: ValueSource, depth: number): JsonValue {
  const { properties = {}, required = [], additionalProperties } = schema;
  const { random } = source;
  const members = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (depth <= MAX_DEPTH && !random.boolean(OMITTED)),
  );
  const named = members.map(([name, member]) => [name, schemaValue(member, source, depth + 1)] as const);
  const others =
    additionalProperties === undefined || depth > MAX_DEPTH
      ? []
      : Array.from(
          { length: random.below(MAX_ITEMS) },
          () => [textValue(source), schemaValue(additionalProperties, source, depth + 1)] as const,
        );
  return Object.fromEntries([...named, ...others]);
}

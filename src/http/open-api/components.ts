/** Conversion of zod schemas to JSON Schema: named ones become components of the document, others stay inline. */
import * as z from "zod";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { parseJson } from "../../protocol/parse-json.ts";
import type { Schema } from "../schema.ts";

export interface ConvertedSchemas {
  /** By name. */
  readonly components: Readonly<Record<string, JsonObject>>;
  /** By the given keys. */
  readonly converted: Readonly<Record<string, JsonObject>>;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonValue>>;
  readonly required?: readonly string[];
  /** Name of the schema that declares the first members; see `withBase`. */
  readonly extends?: string;
}

export function convertSchemas(schemas: Iterable<readonly [key: string, schema: Schema]>): ConvertedSchemas {
  const all = z.object(Object.fromEntries([...schemas].map(([key, schema]) => [key, schema()])));
  const json = z.toJSONSchema(all, {
    io: "input",
    // Integers are bigint, which JSON Schema does not know: each schema states its type itself.
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // Tests reject unknown members; clients should expect new ones.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (zodSchema._zod.def.type === "literal" && typeof jsonSchema.const === "number") jsonSchema.type = "integer";
      delete jsonSchema.propertyNames;
    },
  });
  // References point to the components of the document, and all values become plain JSON.
  const text = JSON.stringify({ components: json.$defs ?? {}, converted: json.properties ?? {} });
  const { components, converted } = parseJson(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as {
    readonly components: Readonly<Record<string, JsonObject>>;
    readonly converted: Readonly<Record<string, JsonObject>>;
  };
  const extended = Object.entries(components).map(([name, schema]) => [name, withBase(schema, components)] as const);
  return { components: Object.fromEntries(extended), converted };
}

/** Refers to the base schema instead of repeating its members. */
function withBase(schema: JsonObject, components: Readonly<Record<string, JsonObject>>): JsonObject {
  if (!("extends" in schema)) return schema;
  const { properties, required = [], extends: name = "" } = schema as unknown as ObjectSchema;
  const base = components[name] as unknown as ObjectSchema | undefined;
  // No other schema refers to the base.
  if (base === undefined) {
    const { extends: _, ...rest } = schema;
    return rest;
  }
  const own = Object.entries(properties).filter(([member]) => !(member in base.properties));
  const ownNames = new Set(own.map(([member]) => member));
  const allOf: JsonObject[] = [{ $ref: `#/components/schemas/${name}` }];
  const ownRequired = required.filter((member) => ownNames.has(member));
  if (own.length > 0) {
    allOf.push({
      type: "object",
      properties: Object.fromEntries(own),
      ...(ownRequired.length > 0 && { required: ownRequired }),
    });
  }
  return { allOf };
}

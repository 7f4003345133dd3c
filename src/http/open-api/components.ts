/** Zod schemas as JSON Schema: those with a name once, in the components of the document, the others where they stand. */
import * as z from "zod";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { parseJson } from "../../protocol/parse-json.ts";
import type { Schema } from "../schema.ts";

export interface ConvertedSchemas {
  /** By name. */
  readonly components: Readonly<Record<string, JsonObject>>;
  /** By the keys that were given. */
  readonly converted: Readonly<Record<string, JsonObject>>;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonValue>>;
  readonly required?: readonly string[];
  /** Name of the schema that has the first of the members; see `withBase`. */
  readonly extends?: string;
}

export function convertSchemas(schemas: Iterable<readonly [key: string, schema: Schema]>): ConvertedSchemas {
  const all = z.object(Object.fromEntries([...schemas].map(([key, schema]) => [key, schema()])));
  const json = z.toJSONSchema(all, {
    io: "input",
    // Integers are bigint, which JSON Schema does not know: what they are stands beside them.
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // Tests refuse unknown members; clients are to expect that there may be more one day.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (zodSchema._zod.def.type === "literal" && typeof jsonSchema.const === "number") jsonSchema.type = "integer";
      delete jsonSchema.propertyNames;
    },
  });
  // Refers to the components as they stand in the document, and is JSON through and through.
  const text = JSON.stringify({ components: json.$defs ?? {}, converted: json.properties ?? {} });
  const { components, converted } = parseJson(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as {
    readonly components: Readonly<Record<string, JsonObject>>;
    readonly converted: Readonly<Record<string, JsonObject>>;
  };
  const extended = Object.entries(components).map(([name, schema]) => [name, withBase(schema, components)] as const);
  return { components: Object.fromEntries(extended), converted };
}

/** A schema that adds members to another one refers to that one instead of repeating it. */
function withBase(schema: JsonObject, components: Readonly<Record<string, JsonObject>>): JsonObject {
  if (!("extends" in schema)) return schema;
  const { properties, required = [], extends: name = "" } = schema as unknown as ObjectSchema;
  const base = components[name] as unknown as ObjectSchema | undefined;
  // Nobody refers to the other one by itself.
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

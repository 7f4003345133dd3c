/**
 * Generates TypeScript types from the OpenAPI document, in the usual form for OpenAPI clients: `paths`, and the schemas
 * under `components`. Supports the subset of JSON Schema that our own document uses.
 */

import type { Content, OpenApiDocument, OperationObject, SchemaObject } from "./open-api-document.ts";

/**
 * Integers that a double may round. A client gets them as numbers or, on request, as strings: it must handle both, and
 * `BigInt(value)` does.
 */
const writtenOtherwise: Readonly<Record<string, string>> = { Int64: "number | string" };

/** @param document as served */
export function clientTypes(document: string): string {
  const { paths, components } = JSON.parse(document) as OpenApiDocument;
  const { schemas, responses } = components;
  const lines = [
    "// Types of the REST interface, generated from its OpenAPI document: npm run types",
    "",
    "export interface paths {",
    ...Object.entries(paths).flatMap(([path, item]) => [
      `  ${quoted(path)}: {`,
      ...Object.entries(item).flatMap(([method, operation]) => operationLines(method, operation)),
      "  };",
    ]),
    "}",
    "",
    "export interface components {",
    "  schemas: {",
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      ...comment(schema.description, "    "),
      `    ${name}: ${writtenOtherwise[name] ?? typeOf(schema)};`,
    ]),
    "  };",
    "  responses: {",
    ...Object.entries(responses).map(([name, { content }]) => `    ${name}: { content: ${contentType(content)} };`),
    "  };",
    "}",
    "",
  ];
  return lines.join("\n");
}

function operationLines(method: string, { summary, description, ...rest }: OperationObject): readonly string[] {
  const text = description === undefined ? summary : `${summary}. ${description}`;
  const { parameters = [], requestBody, responses } = rest;
  const body =
    requestBody === undefined
      ? "requestBody?: never;"
      : `requestBody${requestBody.required ? "" : "?"}: { content: ${contentType(requestBody.content)} };`;
  return [
    ...comment(text, "    "),
    `    ${method}: {`,
    ...parameterLines(parameters),
    `      ${body}`,
    "      responses: {",
    ...Object.entries(responses).map(([status, { $ref, content }]) => {
      const type = $ref === undefined ? `{ content: ${contentType(content)} }` : referred($ref);
      return `        ${status}: ${type};`;
    }),
    "      };",
    "    };",
  ];
}

function parameterLines(parameters: NonNullable<OperationObject["parameters"]>): readonly string[] {
  const groups = (["path", "query"] as const).map((location) => {
    const list = parameters.filter((parameter) => parameter.in === location);
    if (list.length === 0) return `        ${location}?: never;`;
    const isOptional = list.every(({ required }) => required !== true);
    const members = list.map(({ name, required, schema }) => `${name}${required ? "" : "?"}: ${typeOf(schema)}`);
    return `        ${location}${isOptional ? "?" : ""}: { ${members.join("; ")} };`;
  });
  return ["      parameters: {", ...groups, "        header?: never;", "        cookie?: never;", "      };"];
}

function contentType(content: Content = {}): string {
  const json = content["application/json"];
  const members = Object.entries(content).map(([type, own]) => {
    // The other form of numbers: the types already cover both.
    const { schema = {} } = (type.startsWith("application/json;") ? json : own) ?? own;
    return `${quoted(type)}: ${typeOf(schema)}`;
  });
  return `{ ${members.join("; ")} }`;
}

function typeOf(schema: SchemaObject): string {
  if (schema.$ref !== undefined) return referred(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(" & ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return arrayType(schema);
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function arrayType({ items, prefixItems }: SchemaObject): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(", ")}]`;
  return `(${typeOf(items === false ? {} : (items ?? {}))})[]`;
}

function objectType({ properties, required = [], additionalProperties }: SchemaObject): string {
  if (properties === undefined) {
    return additionalProperties === undefined
      ? "Record<string, unknown>"
      : `Record<string, ${typeOf(additionalProperties)}>`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) => `${memberName(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

function memberName(name: string): string {
  return /^\w+$/.test(name) ? name : quoted(name);
}

function referred(reference: string): string {
  const [, , group, name] = reference.split("/");
  return `components[${quoted(group ?? "")}][${quoted(name ?? "")}]`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function comment(text: string | undefined, indent: string): readonly string[] {
  return text === undefined ? [] : [`${indent}/** ${text.replaceAll("*/", "* /").replaceAll("\n", " ")} */`];
}

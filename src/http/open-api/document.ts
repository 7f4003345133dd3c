/**
 * OpenAPI 3.1 description of the interface, built from its route definitions.
 * @source https://spec.openapis.org/oas/v3.1.1
 */
import * as z from "zod";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { parseJson } from "../../protocol/parse-json.ts";
import { jsonContentType } from "../accept.ts";
import type { ErrorInfo } from "../errors.ts";
import { fileType } from "../request-body.ts";
import { notFound } from "../route-response.ts";
import { binary, int32, named } from "../schema.ts";
import { tags } from "../tags.ts";
import { convertSchemas } from "./components.ts";
import { bodyKey, exampleUrl, type Operation, otherErrorKey, responseKey, schemasOf } from "./operations.ts";

/** Parts of the document that do not describe routes. */
export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Responses of a node to the examples, as texts; by `exampleName`. */
export type ExampleResponses = Readonly<Record<string, string>>;

/** Key of the response to an example. */
export function exampleName(operation: Operation, example: Operation["examples"][number]): string {
  return `${operation.method} ${exampleUrl(operation, example)}`;
}

const apiError = named("ApiError", () =>
  z
    .looseObject({ error: int32().meta({ description: "Number of the error." }), message: z.string().nullable() })
    .meta({ description: "An error of the catalogue. Some have further members." }),
);

/** Keys of the schema of errors, and of that of files. */
const errorKey = "error";
const fileKey = "file";

const keyScheme = "ApiKey";

const noRoute = {
  description:
    "No route matches the request: a value is not a number or out of range, the body has another type or exceeds 1 MiB, or the client does not accept JSON.",
  content: { "text/plain": { schema: { type: "string", const: notFound.kind === "text" ? notFound.text : "" } } },
} as const;

const timeoutResponse = {
  description: "A component of the node did not respond in time.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/ApiError" } } },
} as const;

export function openApiDocument(
  operations: readonly Operation[],
  info: DocumentInfo,
  answers: ExampleResponses,
): JsonObject {
  const own = [[errorKey, apiError] as const, [fileKey, binary] as const];
  const { components, converted } = convertSchemas([...operations.flatMap(schemasOf), ...own]);
  const find = (key: string): JsonObject => converted[key] ?? {};
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    (paths[operation.path] as Record<string, JsonObject>)[operation.method.toLowerCase()] = operationObject(
      operation,
      find,
      answers,
    );
  }
  const used = new Set(operations.map(({ description }) => description.tag));
  return {
    openapi: "3.1.1",
    info: { ...info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name as keyof typeof tags))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components,
      responses: { NoRoute: noRoute, NoTimelyAnswer: timeoutResponse },
      securitySchemes: {
        [keyScheme]: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "API key, whose hash the owner of the node has set.",
        },
      },
    },
  };
}

type FindSchema = (key: string) => JsonObject;

function operationObject(operation: Operation, find: FindSchema, answers: ExampleResponses): JsonObject {
  const { description, isPrivate, id } = operation;
  const parameters = parametersOf(operation);
  return {
    tags: [description.tag],
    summary: description.summary,
    ...(description.notes !== undefined && { description: description.notes }),
    operationId: id,
    ...(isPrivate && { security: [{ [keyScheme]: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(operation, find),
    responses: {
      "200": responseOf(operation, find, answers),
      ...errorResponses(operation.errors, description.textError),
      ...otherError(operation, find),
    },
  };
}

function parametersOf({ params, query, examples: [example] }: Operation): readonly JsonObject[] {
  const inPath = Object.entries(params).map(([name, { schema }]) => ({
    name,
    in: "path",
    required: true,
    schema,
    ...exampleOf(schema, example?.params?.[name]),
  }));
  const inQuery = Object.entries(query).map(([name, { kind, about, isRepeated, isRequired }]) => ({
    name,
    in: "query",
    ...(isRequired && { required: true }),
    description: about,
    schema: isRepeated ? { type: "array", items: kind.schema } : kind.schema,
    ...exampleOf(isRepeated ? { type: "array" } : kind.schema, example?.query?.[name]),
  }));
  return [...inPath, ...inQuery];
}

/** Text of an example as a value of the parameter's type. */
function exampleOf({ type }: JsonObject, value: string | readonly string[] | undefined): JsonObject {
  if (value === undefined) return {};
  if (type === "array") return { example: typeof value === "string" ? [value] : value };
  if (typeof value !== "string") return { example: value[0] ?? "" };
  return { example: type === "integer" || type === "boolean" ? (parseJson(value) as JsonValue) : value };
}

function bodyOf({ id, body, examples: [example] }: Operation, find: FindSchema): JsonObject {
  if (body === undefined) return {};
  const content = Object.keys(body.content).map((type, index) => [
    type,
    {
      schema: find(bodyKey(id, type)),
      ...(index === 0 && example?.body !== undefined && { example: example.body }),
    },
  ]);
  return { requestBody: { content: Object.fromEntries(content), required: body.isOptional !== true } };
}

function responseOf(operation: Operation, find: FindSchema, answers: ExampleResponses): JsonObject {
  const { description, id, examples } = operation;
  const { response } = description;
  if ("text" in response)
    return { description: response.text, content: { "text/plain": { schema: { type: "string" } } } };
  if ("file" in response) return { description: response.file, content: { [fileType]: { schema: find(fileKey) } } };
  const schema = find(responseKey(id));
  const [example] = examples;
  const text = example && answers[exampleName(operation, example)];
  return {
    description: description.summary,
    content: {
      [jsonContentType.exact]: {
        schema,
        ...(text !== undefined && { example: parseJson(text) as JsonValue }),
      },
      [jsonContentType.strings]: { schema: { description: "The same, with amounts as strings of digits." } },
    },
  };
}

function errorResponses(errors: readonly ErrorInfo[], textError: Operation["description"]["textError"]): JsonObject {
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  const responses = [...byStatus].map(([status, list]) => [
    String(status),
    {
      description: list.map(({ id, about }) => `${id}: ${about}`).join("\n\n"),
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/ApiError" } },
        ...(status === notFoundStatus && noRoute.content),
        ...(status === textError?.status && { "text/plain": { schema: { type: "string", const: textError.text } } }),
      },
    },
  ]);
  return {
    "404": { $ref: "#/components/responses/NoRoute" },
    "503": { $ref: "#/components/responses/NoTimelyAnswer" },
    ...Object.fromEntries(responses),
  };
}

function otherError({ id, description: { otherError: error } }: Operation, find: FindSchema): JsonObject {
  if (error === undefined) return {};
  const content = {
    "application/json": { schema: find(otherErrorKey(id)) },
    ...(error.status === notFoundStatus && noRoute.content),
  };
  return { [String(error.status)]: { description: error.about, content } };
}

const notFoundStatus = 404;

/**
 * Bodies of requests: their limit, and the handling of invalid JSON by different routes.
 * @source docs/protocol/rest-api.md 1.3, 1.5, 1.9
 */
import type * as z from "zod";
import {
  isJsonObject,
  JsonSyntaxError,
  type ParsedJson,
  type ParsedObject,
  parseRequestJson,
} from "../protocol/parse-json.ts";
import { ApiError, type ErrorCode } from "./api-error.ts";
import { type Mismatch, mismatch } from "./kind.ts";
import type { QueryParameter } from "./query.ts";
import type { RouteRequest } from "./route-request.ts";
import { binary, type Schema } from "./schema.ts";
import { validated } from "./validated.ts";

export const jsonType = "application/json";
export const formType = "application/x-www-form-urlencoded";
/** Form encoding that browsers use for files: accepted like any form, and left out of the document. */
export const multipartType = "multipart/form-data";
/** Type of a file in a request or a response. */
export const fileType = "application/octet-stream";
type BodyType = typeof jsonType | typeof formType | typeof fileType | "text/plain";

/** Parser of a request body, with its description for the document. */
export interface BodyReader<Value> {
  /** @throws ApiError one of `errors` */
  readonly read: (request: RouteRequest) => Promise<Value | Mismatch>;
  /** Schema of the body by media type. */
  readonly content: Readonly<Partial<Record<BodyType, Schema>>>;
  readonly errors: readonly ErrorCode[];
  /** Whether a POST may omit it. */
  readonly isOptional?: boolean;
  /** Query parameters that it reads, too, by method. If GET has any, a GET without a body is accepted. */
  readonly query?: Readonly<Partial<Record<"GET" | "POST", Readonly<Record<string, QueryParameter>>>>>;
}

/** The body as text, whatever its type. @param schema schema of the text, for the document */
export function rawText(schema: Schema<z.ZodString>): BodyReader<string> {
  return { read: (request) => request.text(), content: { "text/plain": schema }, errors: [] };
}

/** A file, which the handler streams (`RouteRequest.file`). */
export const anyFile: BodyReader<undefined> = {
  read: () => Promise.resolve(undefined),
  content: { [fileType]: binary },
  errors: [],
};

/** JSON of class "plain": a body that is not JSON, or does not match the schema, is a mismatch of the route. */
export function plainJson<Type extends z.ZodType>(schema: Schema<Type>): BodyReader<z.output<Type>> {
  return {
    read: async (request) => {
      const json = await readPlainJson(request);
      if (json === mismatch) return mismatch;
      const result = schema().safeParse(json);
      return result.success ? result.data : mismatch;
    },
    content: { [jsonType]: schema },
    errors: [],
  };
}

/** An object of class "plain": invalid members are an error. */
export function plainObject<Type extends z.ZodObject>(schema: Schema<Type>): BodyReader<z.output<Type>> {
  return {
    read: async (request) => {
      const json = await readPlainJson(request);
      return json === mismatch || !isJsonObject(json) ? mismatch : validated(schema(), json);
    },
    content: { [jsonType]: schema },
    errors: ["jsonInvalid"],
  };
}

/**
 * Any object of class "plain".
 * @param schema for the document: the handler validates the members
 */
export function anyObject(schema: Schema): BodyReader<ParsedObject> {
  return {
    read: async (request) => {
      const json = await readPlainJson(request);
      return json !== mismatch && isJsonObject(json) ? json : mismatch;
    },
    content: { [jsonType]: schema },
    errors: [],
  };
}

async function readPlainJson(request: RouteRequest): Promise<ParsedJson | Mismatch> {
  const text = await jsonBody(request);
  if (text === mismatch) return mismatch;
  try {
    return parseRequestJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return mismatch;
    throw error;
  }
}

/**
 * JSON of class "checked": a body that is not JSON is an error, jsonUnreadable.
 * @param schema for the document: the handler's own parsers validate the members, in an order and with messages that a
 *   schema cannot have
 */
export function checkedJson(schema: Schema): BodyReader<ParsedJson> {
  return { read: readCheckedJson, content: { [jsonType]: schema }, errors: ["jsonUnreadable", "jsonInvalid"] };
}

/** An object of class "checked". */
export function checkedObject(schema: Schema): BodyReader<ParsedObject> {
  return {
    read: async (request) => {
      const body = await readCheckedJson(request);
      if (body === mismatch || isJsonObject(body)) return body;
      throw new ApiError({ code: "jsonNoObject" });
    },
    content: { [jsonType]: schema },
    errors: ["jsonUnreadable", "jsonNoObject", "jsonInvalid"],
  };
}

/** An object of class "checked" whose members are validated by the schema. */
export function checkedMembers<Type extends z.ZodObject>(schema: Schema<Type>): BodyReader<z.output<Type>> {
  return {
    read: async (request) => {
      const body = await readCheckedJson(request);
      return body === mismatch ? body : validated(schema(), body, "jsonMembersInvalid");
    },
    content: { [jsonType]: schema },
    errors: ["jsonUnreadable", "jsonMembersInvalid"],
  };
}

async function readCheckedJson(request: RouteRequest): Promise<ParsedJson | Mismatch> {
  const text = await jsonBody(request);
  if (text === mismatch) return mismatch;
  try {
    return parseRequestJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ApiError({ code: "jsonUnreadable", cause: error.cause });
    throw error;
  }
}

async function jsonBody(request: RouteRequest): Promise<string | Mismatch> {
  if (request.mediaType !== jsonType) return mismatch;
  const text = await request.text();
  return text === "" ? mismatch : text;
}

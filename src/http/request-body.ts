/**
 * Bodies of requests: their limit, and the ways in which JSON routes take what is not JSON.
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
import { ApiError, type ErrorCode } from "./api-fault.ts";
import { type Mismatch, mismatch } from "./kind.ts";
import type { QueryParameter } from "./query.ts";
import type { RouteRequest } from "./route-request.ts";
import { binary, type Schema } from "./schema.ts";
import { validated } from "./validated.ts";

export const jsonType = "application/json";
export const formType = "application/x-www-form-urlencoded";
/** A form as browsers send one with files: taken wherever a form is, and left out of the document. */
export const multipartType = "multipart/form-data";
/** Of a file, or of an answer that is one. */
export const fileType = "application/octet-stream";
type BodyType = typeof jsonType | typeof formType | typeof fileType | "text/plain";

/** How a route takes the body of a request, and what the document says of it. */
export interface BodyReader<Value> {
  /** @throws ApiError one of `errors` */
  readonly read: (request: RouteRequest) => Promise<Value | Mismatch>;
  /** What a body may hold, by its type. */
  readonly content: Readonly<Partial<Record<BodyType, Schema>>>;
  readonly errors: readonly ErrorCode[];
  /** Whether a POST may come without one. */
  readonly isOptional?: boolean;
  /** Parameters of the query that it reads as well, by method. Where there are some of GET, GET asks without a body. */
  readonly query?: Readonly<Partial<Record<"GET" | "POST", Readonly<Record<string, QueryParameter>>>>>;
}

/** The body as it is, whatever its type. @param schema of the text, for the document */
export function rawText(schema: Schema<z.ZodString>): BodyReader<string> {
  return { read: (request) => request.text(), content: { "text/plain": schema }, errors: [] };
}

/** A file, which the handler reads as it comes (`RouteRequest.file`). */
export const anyFile: BodyReader<undefined> = {
  read: () => Promise.resolve(undefined),
  content: { [fileType]: binary },
  errors: [],
};

/** JSON of class "plain": what cannot be read, or is not of the schema, makes the route not match. */
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

/** Class "plain", too, of objects: which members are wrong is an error of its own. */
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
 * Class "plain", of any object.
 * @param schema for the document: what members hold is the handler's to judge
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
 * JSON of class "checked": what cannot be read is an error of its own, jsonUnreadable.
 * @param schema for the document: the handler's own readers judge the members, in an order and in words that a schema has not
 */
export function checkedJson(schema: Schema): BodyReader<ParsedJson> {
  return { read: readCheckedJson, content: { [jsonType]: schema }, errors: ["jsonUnreadable", "jsonInvalid"] };
}

/** As `checkedJson`, of routes that take objects only. */
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

/** As `checkedObject`, of routes that want nothing of the body but its members: a schema judges them. */
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

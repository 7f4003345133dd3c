/**
 * Bodies of requests: their limit, and the two ways in which JSON routes take what is not JSON.
 * @source spec/rest-api.md 1.3, 1.5, 1.9
 */
import {
  isJsonObject,
  JsonSyntaxError,
  type ParsedJson,
  type ParsedObject,
  parseJson,
} from "../protocol/parse-json.ts";
import { ApiError } from "./api-fault.ts";
import { type Mismatch, mismatch } from "./kind.ts";
import type { RouteRequest } from "./route-request.ts";

/** How a route takes the body of a request. */
export type BodyReader<Value> = (request: RouteRequest) => Promise<Value | Mismatch>;

/** The body as it is, whatever its type. */
export const rawText: BodyReader<string> = (request) => request.text();

/** JSON of class "plain": what cannot be read makes the route not match. */
export const plainJson: BodyReader<ParsedJson> = async (request) => {
  const text = await jsonBody(request);
  if (text === mismatch) return mismatch;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return mismatch;
    throw error;
  }
};

/** JSON of class "checked": what cannot be read is an error of its own, jsonUnreadable. */
export const checkedJson: BodyReader<ParsedJson> = async (request) => {
  const text = await jsonBody(request);
  if (text === mismatch) return mismatch;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ApiError({ code: "jsonUnreadable", cause: error.cause });
    throw error;
  }
};

/** As `checkedJson`, of routes that take objects only. */
export const checkedObject: BodyReader<ParsedObject> = async (request) => {
  const body = await checkedJson(request);
  if (body === mismatch || isJsonObject(body)) return body;
  throw new ApiError({ code: "jsonNoObject" });
};

async function jsonBody(request: RouteRequest): Promise<string | Mismatch> {
  if (request.mediaType !== "application/json") return mismatch;
  const text = await request.text();
  return text === "" ? mismatch : text;
}

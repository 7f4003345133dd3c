/** Errors in a response, independent of the request. */
import { isJsonObject, JsonSyntaxError, type ParsedJson, parseJson } from "../../../src/protocol/parse-json.ts";
import type { RestRequest } from "./rest-requests.ts";

export interface RestResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

const NOT_IMPLEMENTED = 501;
const FORBIDDEN = 403;
const wrongKey = 2n;
/** Statuses of the two plain-text responses outside the error catalogue. */
const textStatuses: ReadonlySet<number> = new Set([404, 405]);

/** Error message; undefined for a valid response. */
export function findResponseError(
  request: RestRequest,
  { status, contentType, text }: RestResponse,
): string | undefined {
  const { operation, isRight, hasKey } = request;
  if (status >= 500 && status !== NOT_IMPLEMENTED) return `status ${status}`;
  const json = contentType?.startsWith("application/json") ? findJson(text) : undefined;
  const isText = textStatuses.has(status) || operation.object.responses[status]?.content?.["text/plain"] !== undefined;
  if (status >= 400 && !isError(json) && !isText) return `status ${status} without an error`;
  const isRefused = status === FORBIDDEN && isJsonObject(json) && json["error"] === wrongKey;
  if (operation.isPrivate && !hasKey) {
    if (status < 400) return "a private operation succeeds without the key";
    if (isRight && !isRefused) return `status ${status} where the key is missing`;
  }
  if (!isRight || isRefused) return undefined;
  return `${status}` in operation.object.responses ? undefined : `status ${status}, which the document does not list`;
}

function isError(json: ParsedJson | undefined): boolean {
  if (!isJsonObject(json)) return false;
  const { error, message } = json;
  return typeof error === "bigint" && (typeof message === "string" || message === null);
}

function findJson(text: string): ParsedJson | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** Strings in JSON that other requests may use as values. */
export function textsWithin(json: unknown): readonly string[] {
  if (typeof json === "string") return json.length > 0 && json.length <= 100 ? [json] : [];
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => [
    // Addresses may be member names.
    ...(/^[1-9A-HJ-NP-Za-km-z]{30,50}$/.test(name) ? [name] : []),
    ...textsWithin(value),
  ]);
}

/** Requests to the node that serves this page. Integers in responses are bigint, never rounded to doubles. */
import { type JsonValue, jsonText } from "../../../src/protocol/json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";

/** Error response, or no response. */
export class NodeError extends Error {
  override readonly name = "NodeError";
  /** HTTP status; 0 when the node was not reached. */
  readonly status: number;
  /** The whole response, if it is an object. */
  readonly body: ParsedJson;
  constructor(status: number, message: string, body: ParsedJson = null) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/**
 * Sends a GET request.
 * @param path with its query
 * @returns the parsed response, typed after the OpenAPI document
 * @throws NodeError
 */
export async function fetchJson<Result>(path: string, signal?: AbortSignal): Promise<Result> {
  return (await bodyOf(await send(path, signal === undefined ? {} : { signal }))) as Result;
}

/** @throws NodeError */
export async function post<Result>(path: string, body: JsonValue): Promise<Result> {
  return postText(path, jsonText(body));
}

/** Like `post`, for JSON already written, or for plain text. @throws NodeError */
export async function postText<Result>(path: string, body: string, type = "application/json"): Promise<Result> {
  return (await bodyOf(await send(path, { method: "POST", body, headers: { "Content-Type": type } }))) as Result;
}

/** @throws NodeError the node was not reached, or responded with an error */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new NodeError(0, "The node does not respond.");
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function bodyOf(response: Response): Promise<ParsedJson> {
  return parseJson(await response.text());
}

async function errorOf(response: Response): Promise<NodeError> {
  const text = await response.text();
  try {
    const parsed = parseJson(text);
    return new NodeError(response.status, isJsonObject(parsed) ? messageOf(parsed, text) : text, parsed);
  } catch {
    // Errors of unknown paths and methods are plain text.
    return new NodeError(response.status, text);
  }
}

/** Adds the validation errors by member. @param text the whole response */
function messageOf({ message, validationErrors }: ParsedObject, text: string): string {
  if (typeof message !== "string") return text;
  const members = isJsonObject(validationErrors) ? Object.entries(validationErrors) : [];
  const lines = members.map(([name, errors]) => `${name.replace(/^obj\.?/, "")}: ${jsonText(errors)}`);
  return [message, ...lines].join("\n");
}

/** Text to show for anything thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Questions to the node that serves this page. Integers of the answers are bigint: no double comes between. */
import { type JsonValue, jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";

/** An answer that is an error, or none at all. */
export class NodeError extends Error {
  override readonly name = "NodeError";
  /** Of HTTP; 0 where the node was not reached. */
  readonly status: number;
  /** The whole answer, where it is an object. */
  readonly answer: ParsedJson;
  constructor(status: number, message: string, answer: ParsedJson = null) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/**
 * @param path with its query
 * @returns the answer, in the shape that the description of the interface gives it
 * @throws NodeError
 */
export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return (await answerOf(await send(path, signal === undefined ? {} : { signal }))) as Answer;
}

/** @throws NodeError */
export async function post<Answer>(path: string, body: JsonValue): Promise<Answer> {
  return postText(path, jsonText(body));
}

/** As `post`, of JSON that is written already, or of plain text where the path wants that. @throws NodeError */
export async function postText<Answer>(path: string, body: string, type = "application/json"): Promise<Answer> {
  return (await answerOf(await send(path, { method: "POST", body, headers: { "Content-Type": type } }))) as Answer;
}

/** @throws NodeError the node was not reached, or it refused */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new NodeError(0, "The node does not answer.");
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

async function answerOf(response: Response): Promise<ParsedJson> {
  return parseJson(await response.text());
}

async function errorOf(response: Response): Promise<NodeError> {
  const text = await response.text();
  try {
    const answer = parseJson(text);
    return new NodeError(response.status, isJsonObject(answer) ? messageOf(answer, text) : text, answer);
  } catch {
    // Refusals of paths and methods are plain texts.
    return new NodeError(response.status, text);
  }
}

/** What is wrong with a body is told by its members. @param text of the whole answer */
function messageOf({ message, validationErrors }: ParsedObject, text: string): string {
  if (typeof message !== "string") return text;
  const members = isJsonObject(validationErrors) ? Object.entries(validationErrors) : [];
  const lines = members.map(([name, errors]) => `${name.replace(/^obj\.?/, "")}: ${jsonText(errors)}`);
  return [message, ...lines].join("\n");
}

/** What is shown of anything that was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the body of an answer says against a request. */
import { isJsonObject, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";

export interface Refusal {
  readonly message: string;
  /** That was refused, where the request brought one. */
  readonly transaction: ParsedObject | undefined;
}

/** @returns undefined: it says nothing that is known */
export function readRefusal(body: string): Refusal | undefined {
  const value = readJson(body);
  if (!isJsonObject(value) || typeof value["message"] !== "string") return undefined;
  const transaction = value["transaction"];
  return { message: value["message"], transaction: isJsonObject(transaction) ? transaction : undefined };
}

function readJson(text: string) {
  try {
    return parseJson(text);
  } catch {
    // Some refusals are texts, and programs behind the node may answer anything.
    return undefined;
  }
}

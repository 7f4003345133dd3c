/** Error message in a response's body. */
import { isJsonObject, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";

export interface Refusal {
  readonly message: string;
  /** The refused transaction, if the request had one. */
  readonly transaction: ParsedObject | undefined;
}

/** @returns undefined for a body of another form */
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
    // Some errors are plain text, and proxies in front of the node may send anything.
    return undefined;
  }
}

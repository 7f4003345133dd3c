/** Whether an answer is the recorded one: status, content type, text or JSON. */
import { findDifference } from "../../../scripts/tools/compare-answers.ts";
import { isJsonObject, JsonSyntaxError, type ParsedJson, parseJson } from "../../../src/protocol/parse-json.ts";
import type { Answer, Exchange } from "./exchange.ts";

/** Lists whose order follows a hash table of the reference. */
const unordered = /^\/addresses\/balance(\?|$)/;
/** Identities of objects in memory, which the reference prints with the trees of scripts. */
const objectIdentity = /\bByteString@[0-9a-f]+/g;

/**
 * The first difference as a sentence, undefined when there is none.
 * @param measured members that hold what was measured, besides those that the recording itself leaves out
 */
export function findAnswerDifference(
  expected: Exchange,
  got: Answer,
  measured: readonly string[] = [],
): string | undefined {
  const shown = got.text.slice(0, 200);
  if (got.status !== expected.status) return `status ${expected.status} expected, got ${got.status}: ${shown}`;
  if (got.contentType !== expected.contentType) return `${expected.contentType} expected, got ${got.contentType}`;
  if (expected.contentType?.startsWith("application/json") !== true) {
    return got.text === expected.response ? undefined : `text ${expected.response} expected, got ${shown}`;
  }
  const json = withRequiredMembers(parseJson(comparable(expected.response)));
  const own = findJson(comparable(got.text));
  const [left, right] = unordered.test(expected.path) ? [inOrder(json), inOrder(own)] : [json, own];
  return findDifference(left, right, new Set([...measured, ...(expected.ignore ?? [])]));
}

/** The JSON of a text; undefined when it has none. */
export function findJson(text: string): ParsedJson | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function comparable(text: string): string {
  return text.replace(objectIdentity, "ByteString");
}

/** The requirements give the address that buys back a second name. @source spec/rest-api.md 6, row 1 */
export function withRequiredMembers(json: ParsedJson): ParsedJson {
  if (!isJsonObject(json)) return json;
  const { xtnBuybackAddress } = json;
  return xtnBuybackAddress === undefined ? json : { ...json, tokenBuybackAddress: xtnBuybackAddress };
}

/** A list by the ids of its items. */
function inOrder<Json extends ParsedJson | undefined>(json: Json): Json | readonly ParsedJson[] {
  if (!Array.isArray(json)) return json;
  const idOf = (item: ParsedJson) => (isJsonObject(item) ? String(item["id"]) : "");
  return (json as readonly ParsedJson[]).toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
}

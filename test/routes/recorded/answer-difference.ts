/** Comparison of a response with the recorded one: status, content type, text or JSON. */
import { findDifference } from "../../../scripts/tools/compare-answers.ts";
import {
  isJsonObject,
  JsonSyntaxError,
  type ParsedJson,
  type ParsedObject,
  parseJson,
} from "../../../src/protocol/parse-json.ts";
import type { Answer, Exchange } from "./exchange.ts";

/** Lists whose order follows a hash table of the reference. */
const unordered = /^\/addresses\/balance(\?|$)/;
/** Identities of objects in memory, which the reference prints in the trees of scripts. */
const objectIdentity = /\bByteString@[0-9a-f]+/g;

/**
 * The first difference as a message, undefined if there is none.
 * @param measured members with measured values, besides those that the recording itself excludes
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

/** The JSON of a text; undefined if it is not JSON. */
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

/**
 * The recorded response with the members that the requirements add: a second name of the buyback address; `payments` of
 * calls besides `payment`; in the trace of a broadcast the whole of a lease.
 * @source docs/protocol/rest-api.md 6, rows 1, 2, 7
 */
export function withRequiredMembers(json: ParsedJson): ParsedJson {
  if (!isJsonObject(json)) return withPayments(json);
  const { xtnBuybackAddress, trace } = json;
  const added = withPayments(json) as ParsedObject;
  return {
    ...added,
    ...(xtnBuybackAddress !== undefined && { tokenBuybackAddress: xtnBuybackAddress }),
    ...(trace !== undefined && { trace: withLeases(added["trace"], { transactionId: transactionIdOf(json) }) }),
  };
}

function withPayments(json: ParsedJson): ParsedJson {
  if (isList(json)) return json.map(withPayments);
  if (!isJsonObject(json)) return json;
  const members = mapMembers(json, withPayments);
  const { payment, dApp, stateChanges } = members;
  if (!isList(payment) || dApp === undefined || stateChanges === undefined || "type" in members) return members;
  const payments = payment.filter(isJsonObject).map(({ assetId, amount }) => ({ asset: assetId, amount }));
  return { ...members, payments } as ParsedObject;
}

interface LeaseFacts {
  readonly transactionId: ParsedJson | undefined;
  /** Address of the step's dApp. */
  readonly dApp?: ParsedJson | undefined;
}

const recordedHeight = 105n;

function withLeases(json: ParsedJson | undefined, facts: LeaseFacts): ParsedJson {
  if (isList(json)) return json.map((item) => withLeases(item, facts));
  if (!isJsonObject(json)) return json as ParsedJson;
  const own = json["type"] === "dApp" ? { ...facts, dApp: json["id"] } : facts;
  // Intermediate values of scripts stay unchanged.
  const members = mapMembers(json, (member, name) => (name === "vars" ? member : withLeases(member, own)));
  if (!("nonce" in members && "recipient" in members)) return members;
  return {
    ...members,
    originTransactionId: own.transactionId,
    sender: own.dApp,
    height: recordedHeight,
    status: "active",
    cancelHeight: null,
    cancelTransactionId: null,
  } as ParsedObject;
}

function transactionIdOf({ id, transaction }: ParsedObject): ParsedJson | undefined {
  return id ?? (isJsonObject(transaction) ? transaction["id"] : undefined);
}

function mapMembers(json: ParsedObject, map: (member: ParsedJson, name: string) => ParsedJson): ParsedObject {
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, map(member, name)]));
}

/** `Array.isArray` that narrows a readonly list. */
function isList(json: ParsedJson | undefined): json is readonly ParsedJson[] {
  return Array.isArray(json);
}

/** A list sorted by the ids of its items. */
function inOrder<Json extends ParsedJson | undefined>(json: Json): Json | readonly ParsedJson[] {
  if (!Array.isArray(json)) return json;
  const idOf = (item: ParsedJson) => (isJsonObject(item) ? String(item["id"]) : "");
  return (json as readonly ParsedJson[]).toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
}

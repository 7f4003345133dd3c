/**
 * JSON form with 64-bit integers as strings, for clients that would round them.
 * @source docs/protocol/rest-api.md 1.4; Waves: api/http/CustomJson.scala
 */
import { JsonDecimal, type JsonValue, RawJson } from "../protocol/json.ts";
import { parseJson } from "../protocol/parse-json.ts";

const significantFields: ReadonlySet<string> = new Set([
  "amount",
  "available",
  "balance",
  "buyMatcherFee",
  "currentReward",
  "desiredReward",
  "effective",
  "fee",
  "feeAmount",
  "generating",
  "in",
  "matcherFee",
  "minIncrement",
  "minSponsoredAssetFee",
  "out",
  "price",
  "quantity",
  "regular",
  "reward",
  "rewardShares",
  "sellMatcherFee",
  "sponsorBalance",
  "totalAmount",
  "totalFee",
  "totalWavesAmount",
  "value",
]);

/** A copy of the value in which every number at or below a significant field is a string. */
export function withSignificandStrings(value: JsonValue, isSignificant = false): JsonValue {
  if (typeof value === "number" || typeof value === "bigint") return isSignificant ? String(value) : value;
  if (value instanceof JsonDecimal) return isSignificant ? value.text : value;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof RawJson) return withSignificandStrings(parseJson(value.written), isSignificant);
  if (isList(value)) return value.map((item) => withSignificandStrings(item, isSignificant));
  const copy: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) {
    copy[name] = withSignificandStrings(member, isSignificant || significantFields.has(name));
  }
  return copy;
}

/** `Array.isArray` that narrows a readonly list. */
function isList<Item>(value: readonly Item[] | object): value is readonly Item[] {
  return Array.isArray(value);
}

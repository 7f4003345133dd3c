/** Comparison of two JSON responses: numbers exactly, members in any order. */
import { JsonDecimal } from "../src/protocol/json.ts";
import { isJsonObject, type ParsedJson } from "../src/protocol/parse-json.ts";

/** Message for the first difference; undefined when there is none. @param skipped members to ignore */
export function findDifference(
  expected: ParsedJson,
  got: ParsedJson | undefined,
  skipped: ReadonlySet<string>,
  path = "$",
): string | undefined {
  if (isJsonObject(expected) && got !== undefined && isJsonObject(got)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(got)]);
    for (const name of names) {
      const [left, right] = [expected[name], got[name]];
      if (skipped.has(name) || (name === "proofs" && right === undefined && isEthereumOrder(expected))) continue;
      if (left === undefined) return `${path}.${name}: not expected, got ${formatValue(right)}`;
      if (right === undefined) return `${path}.${name}: missing, expected ${formatValue(left)}`;
      const difference = findDifference(left, right, skipped, `${path}.${name}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    if (expected.length !== got.length) return `${path}: ${expected.length} elements expected, got ${got.length}`;
    for (const [index, item] of (expected as readonly ParsedJson[]).entries()) {
      const difference = findDifference(item, got[index] as ParsedJson, skipped, `${path}[${index}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  const isSame =
    expected instanceof JsonDecimal && got instanceof JsonDecimal ? expected.text === got.text : expected === got;
  if (isSame) return undefined;
  const [left, right] = fromDifference(expected, got);
  return `${path}: ${formatValue(left)} expected, got ${formatValue(right)}`;
}

const sharedCharacters = 60;

/** Cuts the common beginning of long texts. */
function fromDifference(
  expected: ParsedJson,
  got: ParsedJson | undefined,
): readonly [ParsedJson, ParsedJson | undefined] {
  if (typeof expected !== "string" || typeof got !== "string") return [expected, got];
  let shared = 0;
  while (shared < expected.length && expected[shared] === got[shared]) shared++;
  const start = Math.max(0, shared - sharedCharacters);
  return start === 0 ? [expected, got] : [`…${expected.slice(start)}`, `…${got.slice(start)}`];
}

/** The reference prints empty proofs for an order with an Ethereum signature, which the requirements leave out. */
function isEthereumOrder(json: ParsedJson): boolean {
  return isJsonObject(json) && typeof json["eip712Signature"] === "string";
}

function formatValue(value: ParsedJson | undefined): string {
  const text =
    JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}` : member)) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/**
 * Invalid JSON bodies: a valid body is parsed, damaged in one or more places, and written again. Covers forms that
 * `JSON.stringify` cannot write: duplicate members, numbers of any size, broken UTF-8.
 */

import { JsonDecimal, jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, type ParsedJson } from "../../src/protocol/parse-json.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { damagedBytes } from "./damaged-bytes.ts";

/** Tree that keeps what a parser loses. A string is a literal text. */
type Node = string | { readonly kind: "object"; members: Member[] } | { readonly kind: "array"; items: Node[] };
interface Member {
  /** Name without quotes. */
  name: string;
  value: Node;
}

const special = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "then",
  "toJSON",
  "",
];
const numbers = [
  ...["0", "-0", "1", "-1", "127", "128", "255", "256", "-129", "32768", "65536", "2147483648", "4294967296"],
  ...["9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775809", `1${"0".repeat(40)}`],
  ...["0.1", "1.5", "-1.9", "1.0", "1e3", "1E400", "1e-400", "-1e99999", `0.${"1".repeat(400)}`, "9".repeat(2_000)],
];
const texts = [
  ...[
    "",
    " ",
    "x",
    "0",
    "1",
    "null",
    "true",
    "WAVES",
    "0OIl",
    "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
    "3M4qwDomRabJKLZ",
  ],
  ...[
    "alias:R:abcd",
    "alias:W:abcd",
    "alias:R:",
    "alias:",
    "base64:",
    "base64:AAAA",
    "base64:!",
    "base64:A",
    "0x",
    "0xzz",
  ],
  ...["é", "жжжж", "🦓", "\u0000", "\u2028", "\ufeff", "%s%n", "../..", "<script>", "'; DROP TABLE blocks; --"],
  ...["1".repeat(44), "1".repeat(200), "z".repeat(88), "y".repeat(5_000), "é".repeat(20_000)],
];
/** Texts that are no JSON, or hardly. */
const oddities = ["NaN", "undefined", "-", "01", "+1", ".5", "1.", "tru", "'x'", '"\\ud800"', '"\\x"', '"\\u12"', "//"];

/** A value of another type, or out of any range. */
function wrongValue(random: SeededRandom): Node {
  switch (random.below(10)) {
    case 0:
    case 1:
      return random.pick(numbers);
    case 2:
    case 3:
      return jsonText(random.pick(texts));
    case 4:
      return random.pick(["null", "true", "false", "{}", "[]", "[[]]", '[""]', "[0]", "[null]", "{}"]);
    case 5:
      return nested(random.pick([2, 20, 400, 600, 3_000]), random);
    case 6:
      return {
        kind: "array",
        items: Array.from({ length: random.pick([1, 9, 101, 101, 1_000]) }, () => wrongLeaf(random)),
      };
    case 7:
      return { kind: "object", members: [{ name: random.pick(special), value: wrongLeaf(random) }] };
    case 8:
      return random.pick(oddities);
    default:
      return jsonText(random.text(random.below(120), "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"));
  }
}

function wrongLeaf(random: SeededRandom): Node {
  return random.boolean(0.5) ? random.pick(numbers) : jsonText(random.pick(texts));
}

function nested(depth: number, random: SeededRandom): string {
  return random.boolean(0.5)
    ? `${"[".repeat(depth)}1${"]".repeat(depth)}`
    : `${'{"type":'.repeat(depth)}4${"}".repeat(depth)}`;
}

function treeOf(json: ParsedJson): Node {
  if (Array.isArray(json)) return { kind: "array", items: (json as readonly ParsedJson[]).map(treeOf) };
  if (isJsonObject(json)) {
    return { kind: "object", members: Object.entries(json).map(([name, value]) => ({ name, value: treeOf(value) })) };
  }
  return json instanceof JsonDecimal ? json.text : jsonText(json);
}

/** The text of a tree, cut at the given number of characters: a few repetitions make gigabytes. */
function written(root: Node, maxCharacters = Number.MAX_SAFE_INTEGER): string {
  let text = "";
  const add = (node: Node): void => {
    if (text.length >= maxCharacters) return;
    if (typeof node === "string") {
      text += node;
      return;
    }
    const [open, close] = node.kind === "array" ? "[]" : "{}";
    text += open;
    if (node.kind === "array") {
      for (const [at, item] of node.items.entries()) {
        if (text.length >= maxCharacters) return;
        if (at > 0) text += ",";
        add(item);
      }
    } else {
      for (const [at, { name, value }] of node.members.entries()) {
        if (text.length >= maxCharacters) return;
        text += `${at > 0 ? "," : ""}${jsonText(name)}:`;
        add(value);
      }
    }
    text += close;
  };
  add(root);
  return text.slice(0, maxCharacters);
}

/** A random object or array of the tree, nested ones included. */
function anyBranch(root: Node, random: SeededRandom): Exclude<Node, string> | undefined {
  const branches: Exclude<Node, string>[] = [];
  const walk = (node: Node): void => {
    if (typeof node === "string") return;
    branches.push(node);
    for (const child of node.kind === "array" ? node.items : node.members.map(({ value }) => value)) walk(child);
  };
  walk(root);
  // The root half of the time: its members are checked first.
  return branches.length === 0 || random.boolean(0.5) ? branches[0] : random.pick(branches);
}

function damageObject(members: Member[], random: SeededRandom): void {
  const at = random.below(Math.max(members.length, 1));
  const member = members[at];
  if (member === undefined) {
    members.push({ name: random.pick(special), value: wrongValue(random) });
    return;
  }
  switch (random.below(9)) {
    case 0:
      members.splice(at, 1);
      break;
    case 1:
      members.splice(random.below(members.length + 1), 0, { name: member.name, value: wrongValue(random) });
      break;
    case 2:
      member.name = random.boolean(0.5) ? random.pick(special) : member.name.toUpperCase();
      break;
    case 3:
      member.value = { kind: "array", items: [member.value] };
      break;
    case 4:
      member.value = { kind: "object", members: [{ name: member.name, value: member.value }] };
      break;
    case 5: {
      const other = random.pick(members);
      [member.value, other.value] = [other.value, member.value];
      break;
    }
    case 6:
      members.push({ name: random.pick([...special, "x".repeat(10_000), "\u0000", "é"]), value: wrongValue(random) });
      break;
    default:
      member.value = wrongValue(random);
  }
}

function damageArray(items: Node[], random: SeededRandom): void {
  const at = random.below(Math.max(items.length, 1));
  const item = items[at];
  switch (random.below(4)) {
    case 0:
      items.splice(at, 1);
      break;
    case 1:
      if (item !== undefined) items.push(...Array.from({ length: random.pick([1, 8, 100, 1_000]) }, () => item));
      break;
    default:
      items.splice(at, random.below(2), wrongValue(random));
  }
}

/**
 * The same content in another shape: an object as an array of its members, an array as an object, the whole as a text,
 * and so on.
 */
function reshaped(root: Node, random: SeededRandom): Node {
  const values =
    typeof root === "string" ? [root] : root.kind === "array" ? root.items : root.members.map(({ value }) => value);
  switch (random.below(4)) {
    case 0:
      return { kind: "array", items: [...values] };
    case 1:
      return { kind: "array", items: [root] };
    case 2:
      return jsonText(written(root, 100_000));
    default:
      return wrongValue(random);
  }
}

/** A body damaged from a valid one, of limited size. */
export function damagedJson(json: ParsedJson, maxSizeBytes: number, random: SeededRandom): Uint8Array {
  let root = treeOf(json);
  for (let left = random.between(1, 3); left > 0; left--) {
    const branch = anyBranch(root, random);
    if (branch === undefined || random.boolean(0.03)) root = reshaped(root, random);
    else if (branch.kind === "object") damageObject(branch.members, random);
    else damageArray(branch.items, random);
  }
  const bytes = new TextEncoder().encode(written(root, maxSizeBytes)).subarray(0, maxSizeBytes);
  return random.boolean(0.25) ? damagedBytes(bytes, random).subarray(0, maxSizeBytes) : bytes;
}

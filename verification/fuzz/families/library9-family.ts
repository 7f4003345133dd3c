/** Functions new in version 9, except certificate chains: arguments at their limits. */
import { p256 } from "@noble/curves/nist.js";
import { bytesOfInteger } from "../../../src/crypto/big-endian.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import { call, constant } from "../../../src/ride/functions/tree.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { Text } from "../../../src/ride/values/text.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { FuzzFamily } from "./family.ts";
import { type TreeCase, treeDApp } from "./tree-dapp.ts";
import { TreeValues } from "./tree-values.ts";

const libraryVersion = 9;
const casesPerDApp = 20;
const ids = {
  replaceFirst: 1214,
  replaceAll: 1215,
  fill: 1107,
  toBase64: 606,
  fromBase64: 607,
  toBase16: 608,
  fromBase16: 609,
  oldToBase16: 604,
  oldFromBase16: 605,
  p256Verify: 903,
  size: 400,
} as const;
const maxTextBytes = 32_767;
const order = p256.Point.Fn.ORDER;
const field = p256.Point.Fp.ORDER;

export const library9Family: FuzzFamily = {
  name: "library9",
  summary: "replacing, filling, short encodings and p256Verify at the ends of what they take",
  dApps: (random, count) =>
    Array.from({ length: Math.ceil(count / casesPerDApp) }, (_, index) => {
      const own = Math.min(casesPerDApp, count - index * casesPerDApp);
      const cases = Array.from({ length: own }, () => random.pick(writers)(random));
      return treeDApp(libraryVersion, cases);
    }),
};

const alphabets = ["a", "ab", "ab\u{1f600}", "\u00e4a", "$&a", "\ud83d\ude00"];

function text(random: SeededRandom): string {
  const alphabet = random.pick(alphabets);
  const length = random.pick([0, 0, 1, 1, 2, 3, random.below(40), random.below(3_000), random.below(maxTextBytes)]);
  const most = Math.floor(length / Math.max(...[...alphabet].map((character) => utf8Bytes(character).length)));
  return Array.from({ length: most }, () => random.pick([...alphabet])).join("");
}

/** A part of the text, or another text. */
function target(random: SeededRandom, whole: string): string {
  if (random.boolean(0.15)) return "";
  const start = random.below(whole.length + 1);
  const part = whole.slice(start, start + random.pick([1, 1, 2, 3, random.below(whole.length + 1)]));
  return random.boolean(0.75) && part.isWellFormed() ? part : text(random);
}

function textValue(value: string): Expression {
  return constant(new Text(value));
}

function replacing(random: SeededRandom): TreeCase {
  const whole = text(random);
  const [id, name] = random.pick([
    [ids.replaceFirst, "replaceFirst"],
    [ids.replaceAll, "replaceAll"],
  ] as const);
  const values = [whole, target(random, whole), text(random)];
  if (values.reduce((sum, { length }) => sum + length, 0) > 30_000) values[0] = whole.slice(0, 9);
  const args = values.map((value) => textValue(value.toWellFormed()));
  const shown = values.map((value) => JSON.stringify(value.slice(0, 40)));
  return { tree: call(id, ...args), note: `${name}(${shown.join(", ")}) of ${values.map(({ length }) => length)}` };
}

function filling(random: SeededRandom): TreeCase {
  const values = new TreeValues(random, libraryVersion);
  const length = random.pick([
    0n,
    -1n,
    1n,
    BigInt(random.below(1_100)),
    1_000n,
    1_001n,
    2n ** 32n + 3n,
    2n ** 32n,
    2n ** 63n - 2n ** 32n + 5n,
    -(2n ** 32n) + 5n,
  ]);
  const item = random.boolean(0.3) ? constant(random.bytes(random.below(1_200))) : values.any();
  const filled = call(ids.fill, constant(length), item);
  return { tree: random.boolean(0.3) ? call(ids.size, filled) : filled, note: `fill of ${length}` };
}

const sizes = [0, 1, 2, 3, 511, 512, 1_022, 1_023, 1_024, 1_025, 1_026, 1_027, 2_000];

function encoding(random: SeededRandom): TreeCase {
  const bytes = random.bytes(random.pick(sizes));
  const base64 = Buffer.from(bytes).toString("base64");
  const base16 = Buffer.from(bytes).toString("hex");
  const unusual = (whole: string): string => {
    const at = random.below(whole.length + 1);
    const changed = random.pick(["", " ", "=", "g", "G", "\u00e9", "-", "base64:", "A", "\u0130", "\u212a"]);
    return random.boolean(0.4) ? whole.slice(0, at) + changed + whole.slice(at + random.below(2)) : whole;
  };
  const wrapped = random.pick(["", "", "base64:"]);
  const upper = random.boolean(0.5) ? base16.toUpperCase() : base16;
  const [name, tree] = random.pick([
    ["toBase64", call(ids.toBase64, constant(bytes))],
    ["toBase16", call(ids.toBase16, constant(bytes))],
    ["toBase16 of old", call(ids.oldToBase16, constant(bytes))],
    ["fromBase64", call(ids.fromBase64, textValue(unusual(wrapped + base64)))],
    ["fromBase64", call(ids.fromBase64, textValue(unusual(wrapped + base64.replaceAll("=", ""))))],
    ["fromBase16", call(ids.fromBase16, textValue(unusual(upper)))],
    ["fromBase16 of old", call(ids.oldFromBase16, textValue(unusual(upper)))],
  ] as const);
  return { tree, note: `${name} of ${bytes.length} bytes` };
}

function signature(random: SeededRandom): TreeCase {
  const secret = p256.utils.randomSecretKey(random.bytes(48));
  const message = random.bytes(random.pick([0, 1, 32, 64, 200]));
  const parts = {
    message,
    signature: p256.sign(message, secret, { lowS: random.boolean(0.5) }),
    key: p256.getPublicKey(secret, false).slice(1),
  };
  const note = random.boolean(0.25) ? "valid" : spoil(random, parts);
  const args = [parts.message, parts.signature, parts.key].map((part) => constant(part));
  return { tree: call(ids.p256Verify, ...args), note: `p256Verify: ${note}` };
}

function spoil(random: SeededRandom, parts: { message: Uint8Array; signature: Uint8Array; key: Uint8Array }): string {
  const name = random.pick(["message", "signature", "key"] as const);
  const bytes = parts[name].slice();
  const number = random.pick([0n, 1n, order - 1n, order, order + 1n, field - 1n, field, field + 5n, 2n ** 256n - 1n]);
  switch (random.below(4)) {
    case 0:
      if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
      parts[name] = bytes;
      return `${name} changed`;
    case 1:
      parts[name] = bytes.subarray(0, random.pick([0, 1, 31, 32, 33, 63]));
      return `${name} of ${parts[name].length} bytes`;
    case 2:
      parts[name] = concatBytes(bytes, random.bytes(random.between(1, 3)));
      return `${name} of ${parts[name].length} bytes`;
    default:
      if (name === "message") return "valid";
      bytes.set(bytesOfInteger(number, 32), random.pick([0, 32]));
      parts[name] = bytes;
      return `${name} with the number ${number.toString(16)}`;
  }
}

/** Points whose first coordinate may also be encoded above the field's order. */
function smallPoint(random: SeededRandom): TreeCase {
  for (;;) {
    const x = BigInt(random.below(1_000));
    const { a, b } = p256.Point.CURVE();
    const square = (x * x * x + a * x + b) % field;
    if (!isSquare(square)) continue;
    const y = p256.Point.Fp.sqrt(square);
    const key = concatBytes(bytesOfInteger(random.boolean(0.5) ? x : x + field, 32), bytesOfInteger(y, 32));
    const args = [random.bytes(8), concatBytes(bytesOfInteger(1n, 32), bytesOfInteger(1n, 32)), key];
    return { tree: call(ids.p256Verify, ...args.map((part) => constant(part))), note: `p256Verify: x = ${x}` };
  }
}

function isSquare(number: bigint): boolean {
  return p256.Point.Fp.eql(p256.Point.Fp.pow(number, (field - 1n) / 2n), 1n);
}

const writers = [replacing, replacing, replacing, filling, encoding, encoding, signature, signature, smallPoint];

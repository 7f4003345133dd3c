/** Random arguments of native functions, small and as large as values may be. */

import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { encodeBase64 } from "../../../src/crypto/base64.ts";
import { encodeHex } from "../../../src/crypto/hex.ts";
import { digests } from "../../../src/ride/functions/digests.ts";
import { roundings } from "../../../src/ride/functions/rounding.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { BigInteger, List, MAX_LIST_LENGTH, Structure, unit, type Value } from "../../../src/ride/values/value.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";

const sizes = [0, 1, 8, 26, 32, 33, 64, 128, 1_024, 4_096, 16_384, 32_767];
const integers = [
  0n,
  1n,
  -1n,
  2n,
  8n,
  18n,
  31n,
  100n,
  999n,
  16_383n,
  2n ** 32n,
  2n ** 62n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];
const fills = [0, 1, 0x61, 0x80, 0xff];

/** Returns a random value. @param type as the library prints it */
export function randomArgument(random: SeededRandom, type: string): Value {
  switch (type) {
    case "Int":
      return random.pick(integers);
    case "Boolean":
      return random.boolean(0.5);
    case "BigInt":
      return bigInteger(random);
    case "ByteVector":
      return bytes(random);
    case "String":
      return new Text(text(random));
    default:
      return otherArgument(random, type);
  }
}

function otherArgument(random: SeededRandom, type: string): Value {
  const items = /^List\[(.+)\]$/.exec(type)?.[1];
  if (items !== undefined) return list(random, items);
  if (/^(?:Ceiling|Down)\b/.test(type)) return new Structure(random.pick(roundings), new Map());
  if (/Md5|RsaDigestAlgs/.test(type)) return new Structure(random.pick(digests), new Map());
  const choice = type.split("|");
  if (choice.length > 1) return randomArgument(random, random.pick(choice));
  if (type === "Unit") return unit;
  if (type === "Address") return new Structure("Address", new Map([["bytes", random.bytes(26)]]));
  return randomArgument(random, random.pick(["Int", "String", "ByteVector", "Boolean", "BigInt", "List[Int]"]));
}

function bigInteger(random: SeededRandom): BigInteger {
  const bits = random.pick([1n, 63n, 64n, 128n, 255n, 256n, 510n, 511n]);
  const value = random.pick([2n ** bits - 1n, 2n ** bits - BigInt(random.below(1e9)), 10n ** (bits / 4n) + 1n]);
  const bounded = value >= 2n ** 511n ? 2n ** 511n - 1n : value;
  return new BigInteger(random.boolean(0.3) ? -bounded : bounded);
}

function bytes(random: SeededRandom): Uint8Array {
  const size = random.pick(sizes);
  return random.boolean(0.5) ? random.bytes(size) : new Uint8Array(size).fill(random.pick(fills));
}

function text(random: SeededRandom): string {
  const size = random.pick(sizes);
  const units = ["a", "9", "1", "z", ",", "a,", " ", "\u{1f600}", "\u043f", "\ud800", "ab".repeat(20)];
  const encoded = () => random.bytes(Math.floor(size / 2));
  const made = random.pick([
    () => random.pick(units),
    () => encodeHex(encoded()),
    () => encodeBase64(encoded()),
    () => encodeBase58(encoded().subarray(0, 500)),
    () => String(random.pick(integers)),
    () => random.text(size),
  ])();
  return made.repeat(Math.max(1, Math.floor(size / Math.max(1, 3 * made.length))));
}

function list(random: SeededRandom, type: string): List {
  const count = random.pick([0, 1, 2, 10, 100, MAX_LIST_LENGTH]);
  if (count === 0) return new List([]);
  const item = () => {
    const value = randomArgument(random, type);
    // A list weighs no more than the largest data transaction.
    const isLight = !(value instanceof Text || value instanceof Uint8Array || value instanceof List);
    return isLight || count < 10 ? value : randomArgument(random, "Int");
  };
  const kinds = Array.from({ length: Math.min(count, 5) }, item);
  return new List(
    Array.from({ length: count }, (_, index) => (random.boolean(0.5) ? kinds[index % kinds.length] : item()) as Value),
  );
}

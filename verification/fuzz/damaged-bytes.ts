/** Damaged bytes: flipped bits, cut ends, lengths that are too large. */

import { concatBytes } from "../../src/crypto/bytes.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";

/** Values written over lengths, counts and tags: the limits of signed and unsigned numbers, and of varints. */
const extremes = [
  [0x00],
  [0x01],
  [0x7f],
  [0x80],
  [0xff],
  [0x7f, 0xff],
  [0x80, 0x00],
  [0xff, 0xff],
  [0x7f, 0xff, 0xff, 0xff],
  [0x80, 0x00, 0x00, 0x00],
  [0xff, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
].map((bytes) => Uint8Array.from(bytes));

/** A copy with one to three kinds of damage. */
export function damagedBytes(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  let damaged = bytes;
  for (let left = random.between(1, 3); left > 0; left--) damaged = damagedOnce(damaged, random);
  return damaged;
}

function damagedOnce(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const from = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, from + random.between(1, 40));
  const before = bytes.subarray(0, from);
  switch (random.below(8)) {
    case 0:
    case 1: {
      const copy = bytes.slice();
      const at = random.below(Math.max(copy.length, 1));
      if (at < copy.length) copy[at] = (copy[at] as number) ^ (1 << random.below(8));
      return copy;
    }
    case 2:
      return before.slice();
    case 3:
      return bytes.slice(from);
    case 4:
      return concatBytes(before, bytes.subarray(to));
    case 5:
      return concatBytes(bytes.subarray(0, to), bytes.subarray(from));
    case 6:
      return concatBytes(before, random.bytes(random.between(1, 40)), bytes.subarray(from));
    default: {
      const extreme = random.pick(extremes);
      return concatBytes(before, extreme, bytes.subarray(from + (random.boolean(0.8) ? extreme.length : 0)));
    }
  }
}

/** Random numbers and choices from random bytes. */
import type { RandomSource } from "../../../src/crypto/random.ts";

const FRACTION_BYTES = 4;

/** Random number from 0 to 1, without 1. */
export function randomFraction(random: RandomSource): number {
  const bytes = random(FRACTION_BYTES);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32;
}

export function randomOf<Value>(values: readonly Value[], random: RandomSource): Value | undefined {
  return values[Math.floor(randomFraction(random) * values.length)];
}

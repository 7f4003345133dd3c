/**
 * Integers of any size as two's complement, most significant byte first, in as few bytes as possible: 128 is `00 80`, 0
 * is `00`.
 * @source docs/protocol/snapshots-and-state-hash.md 2
 */

/** The shortest two's complement of the number. */
export function bigIntBytes(value: bigint): Uint8Array {
  let sizeBytes = 1;
  while (BigInt.asIntN(8 * sizeBytes, value) !== value) sizeBytes++;
  const bytes = new Uint8Array(sizeBytes);
  let rest = value;
  for (let index = sizeBytes - 1; index >= 0; index--) {
    bytes[index] = Number(BigInt.asUintN(8, rest));
    rest >>= 8n;
  }
  return bytes;
}

/** Number from its two's complement in one or more bytes. Cost: quadratic in the number of bytes. */
export function bigIntOfBytes(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}

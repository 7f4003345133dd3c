/** Byte strings as values: comparison, concatenation and use as keys of a Map. */

/** Whether two byte strings have the same length and content. Not constant-time: never use it on secrets. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

/** Unsigned lexicographic order; a prefix sorts before the longer string. @returns negative, zero or positive */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Concatenates byte strings. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let sizeBytes = 0;
  for (const part of parts) sizeBytes += part.length;
  const concatenated = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const part of parts) {
    concatenated.set(part, offset);
    offset += part.length;
  }
  return concatenated;
}

/**
 * Byte string as text with one character (code 0 to 255) a byte: a key for Map and Set that costs less than hex or
 * base58. Internal only, never printed.
 */
export type BytesKey = string & { readonly __brand: "BytesKey" };

/** Longer argument lists may overflow the stack. */
const MAX_ARGUMENTS = 4_096;

/**
 * Key of a byte string.
 * PERF: one call for all bytes makes a flat string. Appending them one by one is three times slower, and leaves a chain
 * of 20 string fragments that a Map retains: 600 bytes for an id of 32.
 * @see BytesKey
 */
export function bytesKey(bytes: Uint8Array): BytesKey {
  if (bytes.length <= MAX_ARGUMENTS) return flatText(bytes) as BytesKey;
  let key = "";
  for (let offset = 0; offset < bytes.length; offset += MAX_ARGUMENTS)
    key += flatText(bytes.subarray(offset, offset + MAX_ARGUMENTS));
  return key as BytesKey;
}

/** Nearly all keys are at most this long: addresses, ids, public keys. */
const SHORT_BYTES = 64;
/** Reused argument lists, indexed by the number of bytes. */
const argumentLists: number[][] = [];

/** PERF: reading a call's arguments from an array takes half the time of reading them from bytes. */
function flatText(bytes: Uint8Array): string {
  const { length } = bytes;
  // `apply` accepts any array-like object, though its type does not.
  if (length > SHORT_BYTES) return String.fromCharCode.apply(null, bytes as unknown as number[]);
  argumentLists[length] ??= Array.from(bytes);
  const codes = argumentLists[length];
  for (let index = 0; index < length; index++) codes[index] = bytes[index] as number;
  return String.fromCharCode.apply(null, codes);
}

/** The bytes that a key was made from. */
export function bytesOfKey(key: BytesKey): Uint8Array {
  const bytes = new Uint8Array(key.length);
  for (let index = 0; index < key.length; index++) bytes[index] = key.charCodeAt(index);
  return bytes;
}

/** Eight bytes, most significant first, as Waves writes every 64-bit integer. */
export function i64Bytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value);
  return bytes;
}

/** Four bytes, most significant first. */
export function i32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value);
  return bytes;
}

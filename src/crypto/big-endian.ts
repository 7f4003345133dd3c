/** Whole numbers as bytes, most significant first. */
import { decodeHex, encodeHex } from "./hex.ts";

/** Reads an unsigned integer; no bytes give 0. */
export function integerOfBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${encodeHex(bytes)}`);
}

/** Encodes an unsigned integer. @param sizeBytes large enough for the value, which must not be negative */
export function bytesOfInteger(value: bigint, sizeBytes: number): Uint8Array<ArrayBuffer> {
  return decodeHex(value.toString(16).padStart(sizeBytes * 2, "0"));
}

/** Whole numbers as bytes, most significant first. */
import { decodeHex, encodeHex } from "./hex.ts";

/** Not negative, whatever the first bit; 0 for no bytes. */
export function integerOfBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${encodeHex(bytes)}`);
}

/** @param sizeBytes enough for the value, which is not negative */
export function bytesOfInteger(value: bigint, sizeBytes: number): Uint8Array<ArrayBuffer> {
  return decodeHex(value.toString(16).padStart(sizeBytes * 2, "0"));
}

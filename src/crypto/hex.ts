/** Bytes as hexadecimal text. */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

const digits = "0123456789abcdef";

/** Encodes in lower case, without prefix. */
export function encodeHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** Decodes an even number of digits, without prefix. @throws Error when the text is not hexadecimal */
export function decodeHex(text: string): Uint8Array<ArrayBuffer> {
  return hexToBytes(text) as Uint8Array<ArrayBuffer>;
}

/** Encodes in lower case with the prefix `0x`, as Ethereum values are printed. */
export function hexText(bytes: Uint8Array): `0x${string}` {
  return `0x${encodeHex(bytes)}`;
}

/**
 * Decodes hexadecimal with or without `0x`; an odd number of digits lacks a leading zero. Accepts any text: a character
 * that is not a digit counts as -1, as in the reference, which notices a damaged text only by its signature.
 * @source web3j: utils/Numeric.java (hexStringToByteArray)
 */
export function readHex(text: string): Uint8Array {
  const clean = text.startsWith("0x") ? text.slice(2) : text;
  const even = clean.length % 2 === 0 ? clean : `0${clean}`;
  return Uint8Array.from({ length: even.length / 2 }, (_, index) => {
    return (digitOf(even.charAt(index * 2)) << 4) + digitOf(even.charAt(index * 2 + 1));
  });
}

function digitOf(character: string): number {
  return digits.indexOf(character.toLowerCase());
}

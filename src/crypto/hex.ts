/** Bytes as hexadecimal text. */

const digits = "0123456789abcdef";

/** Lower case, without prefix. */
export function encodeHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += (digits[byte >> 4] as string) + (digits[byte & 15] as string);
  return text;
}

/** Lower case behind `0x`, as Ethereum values are printed. */
export function hexText(bytes: Uint8Array): `0x${string}` {
  return `0x${encodeHex(bytes)}`;
}

/** The bytes of a text with or without `0x`; an odd number of digits lacks a leading zero. Undefined: not hexadecimal. */
export function parseHex(text: string): Uint8Array | undefined {
  const clean = /^0[xX]/.test(text) ? text.slice(2) : text;
  if (!/^[0-9a-fA-F]*$/.test(clean)) return undefined;
  const even = clean.length % 2 === 0 ? clean : `0${clean}`;
  const bytes = new Uint8Array(even.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(even.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

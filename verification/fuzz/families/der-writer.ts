/** ASN.1 values as bytes, valid or not. */
import { concatBytes } from "../../../src/crypto/bytes.ts";

export const derTags = { integer: 2, bits: 3, octets: 4, nothing: 5, identifier: 6, sequence: 0x30 } as const;

/** Encoding of a length. */
export type LengthForm = "shortest" | "long" | "longer" | "mark";

export function tagged(tag: number, content: Uint8Array, form: LengthForm = "shortest"): Uint8Array {
  if (form === "mark") return concatBytes(Uint8Array.of(tag, 0x80), content, Uint8Array.of(0, 0));
  return concatBytes(Uint8Array.of(tag), lengthBytes(content.length, form), content);
}

function lengthBytes(sizeBytes: number, form: LengthForm): Uint8Array {
  if (sizeBytes < 0x80 && form === "shortest") return Uint8Array.of(sizeBytes);
  const digits: number[] = [];
  for (let rest = sizeBytes; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff);
  if (form === "longer" || digits.length === 0) digits.unshift(0);
  return Uint8Array.of(0x80 + digits.length, ...digits);
}

/** Two's complement in the fewest bytes. */
export function integerContent(value: bigint): Uint8Array {
  const digits = value.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  const bytes = Uint8Array.from(Buffer.from(even, "hex"));
  return (bytes[0] as number) < 0x80 ? bytes : Uint8Array.of(0, ...bytes);
}

/** @param dotted object identifier in dotted form */
export function identifierContent(dotted: string): Uint8Array {
  const [first = 0n, second = 0n, ...others] = dotted.split(".").map(BigInt);
  return Uint8Array.from([first * 40n + second, ...others].flatMap(septets));
}

function septets(number: bigint): readonly number[] {
  const groups = [Number(number & 0x7fn)];
  for (let rest = number >> 7n; rest > 0n; rest >>= 7n) groups.unshift(Number(rest & 0x7fn) | 0x80);
  return groups;
}

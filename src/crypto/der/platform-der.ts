/**
 * ASN.1 values as the reference's platform reads them: mostly DER, with its leniency and its error texts. Positions are
 * tracked as the platform tracks them, because its messages and its bugs expose them.
 * @source Java 17: sun.security.util.DerValue, DerInputStream, ObjectIdentifier
 */
import { integerOfBytes } from "../big-endian.ts";
import { concatBytes } from "../bytes.ts";
import { signedLength, withDefiniteLengths } from "./definite-lengths.ts";
import { DerError } from "./der-error.ts";

export const derTag = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octets: 4,
  nullValue: 5,
  identifier: 6,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const longTag = 0x1f;
const constructed = 0x20;
const longForm = 0x80;
const maxLengthBytes = 4;
const maxIdentifierBytes = 4096;
const maxUnusedBits = 7;
const constructedOnly = "Indefinite length encoding not supported with non-constructed data";

/** Consecutive values. */
export class DerInput {
  readonly #data: Uint8Array;
  readonly #end: number;
  #position: number;

  constructor(data: Uint8Array, start = 0, end = data.length) {
    this.#data = data;
    this.#position = start;
    this.#end = end;
  }

  /** Bytes left; negative if a bug of the platform put the position after the end. */
  get available(): number {
    return this.#end - this.#position;
  }

  /** @throws DerError */
  next(): DerValue {
    const { value, restBytes } = readValue(this.#data, this.#position, this.available, { allowsMore: true });
    // The platform assumes that the bytes after a value of indefinite length reach to the end of all its bytes.
    this.#position = restBytes === undefined ? value.end : this.#data.length - restBytes;
    return value;
  }
}

export class DerValue {
  readonly tag: number;
  readonly buffer: Uint8Array;
  readonly end: number;
  readonly #start: number;

  constructor(tag: number, buffer: Uint8Array, start: number, end: number) {
    this.tag = tag;
    this.buffer = buffer;
    this.#start = start;
    this.end = end;
  }

  get content(): Uint8Array {
    return this.buffer.subarray(this.#start, this.end);
  }

  /** The same content with another tag, for implicitly tagged parts. */
  retagged(tag: number): DerValue {
    return new DerValue(tag, this.buffer, this.#start, this.end);
  }

  get parts(): DerInput {
    return new DerInput(this.buffer, this.#start, this.end);
  }

  /** The tag as a signed byte, as the platform's messages print it. */
  get signedTag(): number {
    return (this.tag << 24) >> 24;
  }
}

/** Reads the only value in the bytes. @throws DerError */
export function readOnlyValue(bytes: Uint8Array): DerValue {
  return readValue(bytes, 0, bytes.length, { allowsMore: false }).value;
}

/** Reads the outermost value, with the errors of the platform's stream reader. @throws DerError */
export function readOuterValue(bytes: Uint8Array): DerValue {
  const [tag = 0, first] = bytes;
  if ((tag & longTag) === longTag) throw new DerError("Tag number over 30 is not supported");
  if (first === undefined) throw new DerError("Short read of DER length");
  if (first !== longForm) {
    const { start, sizeBytes } = streamLength(bytes, first);
    const end = start + sizeBytes;
    if (end > bytes.length) throw new DerError("null");
    return new DerValue(tag, bytes.subarray(start, end), 0, sizeBytes);
  }
  if ((tag & constructed) === 0) throw new DerError(constructedOnly);
  const { value: buffer } = withDefiniteLengths(bytes);
  // The platform compares a signed byte with an unsigned one.
  if (tag > 0x7f) throw new DerError("Indefinite length encoding not supported");
  const { start, sizeBytes } = streamLength(buffer, buffer[1] as number);
  return new DerValue(tag, buffer, start, start + sizeBytes);
}

/** @param first the byte after the tag */
function streamLength(bytes: Uint8Array, first: number): { readonly start: number; readonly sizeBytes: number } {
  if (first < longForm) return { start: 2, sizeBytes: first };
  const prefix = "DerInputStream.getLength(): ";
  const count = first - longForm;
  if (count > maxLengthBytes) throw new DerError(`${prefix}lengthTag=${count}, too big.`);
  // After its end the stream returns -1.
  const digits = Array.from({ length: count }, (_, index) => bytes[2 + index] ?? 0xff);
  if (digits[0] === 0) throw new DerError(`${prefix}Redundant length bytes found`);
  const sizeBytes = signedLength(digits);
  if (sizeBytes < 0) throw new DerError(`${prefix}Invalid length bytes`);
  if (sizeBytes < longForm) throw new DerError(`${prefix}Should use short form for length`);
  return { start: 2 + count, sizeBytes };
}

/** @returns `restBytes`, the number of bytes after the value, only for a value of indefinite length */
function readValue(
  data: Uint8Array,
  offset: number,
  availableBytes: number,
  { allowsMore }: { readonly allowsMore: boolean },
): { readonly value: DerValue; readonly restBytes?: number } {
  if (availableBytes < 2) throw new DerError("Too short");
  const tag = data[offset] as number;
  if ((tag & longTag) === longTag) throw new DerError(`Tag number over 30 at ${offset} is not supported`);
  if (data[offset + 1] !== longForm) return { value: readDefinite(data, offset, availableBytes, allowsMore) };
  if ((tag & constructed) === 0) throw new DerError(constructedOnly);
  const { value, restBytes } = withDefiniteLengths(data.subarray(offset, offset + availableBytes));
  return { value: readDefinite(value, 0, value.length + restBytes, allowsMore), restBytes };
}

function readDefinite(data: Uint8Array, offset: number, availableBytes: number, allowsMore: boolean): DerValue {
  const first = data[offset + 1] as number;
  let start = offset + 2;
  let sizeBytes = first;
  if (first > longForm) {
    const count = first - longForm;
    if (count > maxLengthBytes) throw new DerError("Invalid lenByte");
    if (availableBytes < 2 + count) throw new DerError("Not enough length bytes");
    sizeBytes = signedLength(data.subarray(start, start + count));
    if (sizeBytes < 0) throw new DerError("Invalid length bytes");
    start += count;
  }
  const restBytes = availableBytes - (start - offset) - sizeBytes;
  if (restBytes < 0) throw new DerError("not enough content");
  if (restBytes > 0 && !allowsMore) throw new DerError("extra data at the end");
  return new DerValue(data[offset] as number, data, start, start + sizeBytes);
}

/** Reads all parts of a sequence or set. @throws DerError */
export function partsOf(value: DerValue, tag: number): readonly DerValue[] {
  if (value.tag !== tag) throw new DerError("Sequence tag error");
  const input = value.parts;
  const parts: DerValue[] = [];
  while (input.available > 0) parts.push(input.next());
  return parts;
}

/** The value with lengths in their shortest form, as it is signed. */
export function encodedValue({ tag, content }: DerValue): Uint8Array {
  return encodedBytes(tag, content);
}

export function encodedBytes(tag: number, content: Uint8Array): Uint8Array {
  const digits: number[] = [];
  if (content.length >= longForm) for (let rest = content.length; rest > 0; rest >>>= 8) digits.unshift(rest & 0xff);
  const head = digits.length === 0 ? [tag, content.length] : [tag, longForm + digits.length, ...digits];
  return concatBytes(Uint8Array.from(head), content);
}

/** Signed integer. @throws DerError */
export function integerOf(value: DerValue): bigint {
  if (value.tag !== derTag.integer) {
    throw new DerError(`DerValue.getBigIntegerInternal, not expected ${value.signedTag}`);
  }
  const { content } = value;
  if (content.length === 0) throw new DerError("Invalid encoding: zero length Int value");
  return BigInt.asIntN(content.length * 8, integerOfBytes(content));
}

/** Bytes of a bit string, with the unused bits cleared. @throws DerError */
export function bitsOf(value: DerValue): Uint8Array {
  if (value.tag !== derTag.bitString) throw new DerError(`DerValue.getBitString, not a bit string ${value.signedTag}`);
  const [unusedBits] = value.content;
  const bytes = value.content.slice(1);
  if (unusedBits === undefined) throw new DerError("Invalid encoding: zero length bit string");
  if (unusedBits > maxUnusedBits) throw new DerError("Invalid number of padding bits");
  if (unusedBits > 0 && bytes.length === 0) throw new DerError("Not enough bytes in BitString");
  const last = bytes.length - 1;
  if (last >= 0) bytes[last] = (bytes[last] as number) & (0xff << unusedBits);
  return bytes;
}

/** Object identifier in dotted form. @throws DerError */
export function objectIdentifier(value: DerValue): string {
  if (value.tag !== derTag.identifier) throw new DerError(`DerValue.getOID, not an OID ${value.signedTag}`);
  const { content } = value;
  if (content.length > maxIdentifierBytes) {
    throw new DerError(
      `ObjectIdentifier encoded length exceeds the restriction in JDK (OId length(>=): ${content.length}, Restriction: ${maxIdentifierBytes})`,
    );
  }
  const wrong = "ObjectIdentifier() -- Invalid DER encoding, ";
  if (((content.at(-1) ?? longForm) & 0x80) !== 0) throw new DerError(`${wrong}not ended`);
  if (content.some((byte, index) => byte === 0x80 && ((content[index - 1] ?? 0) & 0x80) === 0)) {
    throw new DerError(`${wrong}useless extra octet detected`);
  }
  return dottedText(content);
}

/** @param content groups of seven bits, the highest bit set in all but the last byte of a number */
export function dottedText(content: Uint8Array): string {
  const numbers: bigint[] = [];
  let start = 0;
  for (const [index, byte] of content.entries()) {
    if ((byte & 0x80) !== 0) continue;
    const number = numberOf(content.subarray(start, index + 1));
    if (numbers.length > 0) numbers.push(number);
    else numbers.push(number < 80n ? number / 40n : 2n, number < 80n ? number % 40n : number - 80n);
    start = index + 1;
  }
  return numbers.join(".");
}

/** PERF: parsed at once; shifting group by group takes milliseconds for a number of four thousand groups. */
function numberOf(groups: Uint8Array): bigint {
  const bits = Array.from(groups, (group) => (group & 0x7f).toString(2).padStart(7, "0"));
  return BigInt(`0b${bits.join("")}`);
}

/**
 * ASN.1 values as the reference's second provider reads them: BER, with definite and indefinite lengths, strings in
 * segments. The form of every value is validated, wherever it is.
 * @source X.690; Bouncy Castle 1.78.1: org.bouncycastle.asn1.ASN1InputStream, ASN1StreamParser
 */
import { concatBytes } from "../bytes.ts";

/** Bytes that are no valid BER value. */
export class BerError extends Error {}

export interface BerValue {
  readonly kind: "sequence" | "integer" | "identifier" | "bits" | "octets" | "other";
  /** Bits begin with the number of unused ones. */
  readonly content: Uint8Array;
  readonly items: readonly BerValue[];
}

const tags = {
  boolean: 1,
  integer: 2,
  bits: 3,
  octets: 4,
  nothing: 5,
  identifier: 6,
  descriptor: 7,
  enumerated: 10,
  utf8: 12,
  relativeIdentifier: 13,
  sequence: 16,
  set: 17,
  firstString: 18,
  lastOldString: 22,
  utcTime: 23,
  time: 24,
  graphic: 25,
  visible: 26,
  general: 27,
  universal: 28,
  bmp: 30,
} as const;
const constructedFlag = 0x20;
const classBits = 0xc0;
const longTag = 0x1f;
const longForm = 0x80;
const endMarkBytes = 2;
const maxLength = 2 ** 31 - 1;
const maxTagNumber = 2 ** 31 - 1;
const maxIdentifierBytes = 4096;
const noBytes = new Uint8Array(0);
/** Deeper values are limited by the reference's stack, whose size is unknown; no real key is nested so deep. */
const maxDepth = 1_000;

/** Reads the only value in the bytes. @throws BerError */
export function readBer(bytes: Uint8Array): BerValue {
  const reader = new BerReader(bytes);
  const value = reader.readValue(bytes.length, 0);
  if (reader.position !== bytes.length) throw new BerError("bytes after the value");
  return value;
}

class BerReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#position;
  }

  /** @param end of the enclosing value */
  readValue(end: number, depth: number): BerValue {
    if (depth > maxDepth) throw new BerError("too deep");
    const first = this.#next(end);
    const tag = this.#tagNumber(first, end);
    const sizeBytes = this.#length(end);
    const isConstructed = (first & constructedFlag) !== 0;
    const isUniversal = (first & classBits) === 0;
    if (!isConstructed) {
      if (sizeBytes === undefined) throw new BerError("indefinite length of a primitive value");
      const content = this.#take(sizeBytes, end);
      return isUniversal ? primitive(tag, content) : { kind: "other", content, items: [] };
    }
    const items = sizeBytes === undefined ? this.#untilMark(end, depth) : this.#inside(sizeBytes, end, depth);
    return isUniversal ? constructed(tag, items) : { kind: "other", content: noBytes, items };
  }

  #untilMark(end: number, depth: number): readonly BerValue[] {
    const items: BerValue[] = [];
    for (;;) {
      if (this.#position + endMarkBytes > end) throw new BerError("no end mark");
      if (this.#bytes[this.#position] === 0 && this.#bytes[this.#position + 1] === 0) {
        this.#position += endMarkBytes;
        return items;
      }
      items.push(this.readValue(end, depth + 1));
    }
  }

  #inside(sizeBytes: number, end: number, depth: number): readonly BerValue[] {
    const innerEnd = this.#position + sizeBytes;
    if (innerEnd > end) throw new BerError("cut");
    const items: BerValue[] = [];
    while (this.#position < innerEnd) items.push(this.readValue(innerEnd, depth + 1));
    return items;
  }

  #tagNumber(first: number, end: number): number {
    if ((first & longTag) !== longTag) return first & longTag;
    let byte = this.#next(end);
    if (byte < longTag || (byte & 0x7f) === 0) throw new BerError("a short tag in long form");
    let tag = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = this.#next(end);
      tag = tag * 128 + (byte & 0x7f);
      if (tag > maxTagNumber) throw new BerError("tag too long");
    }
    return tag;
  }

  /** @returns undefined for an indefinite length */
  #length(end: number): number | undefined {
    const first = this.#next(end);
    if (first < longForm) return first;
    if (first === longForm) return undefined;
    if (first === 0xff) throw new BerError("length in a form that is reserved");
    let length = 0;
    for (let count = first - longForm; count > 0; count--) {
      length = length * 256 + this.#next(end);
      if (length > maxLength) throw new BerError("length too long");
    }
    return length;
  }

  #next(end: number): number {
    if (this.#position >= end) throw new BerError("cut");
    const byte = this.#bytes[this.#position] as number;
    this.#position++;
    return byte;
  }

  #take(sizeBytes: number, end: number): Uint8Array {
    const start = this.#position;
    if (start + sizeBytes > end) throw new BerError("cut");
    this.#position += sizeBytes;
    return this.#bytes.subarray(start, this.#position);
  }
}

/** @throws BerError the content does not have the form of its kind */
function primitive(tag: number, content: Uint8Array): BerValue {
  if (!hasForm(tag, content)) throw new BerError(`malformed value with the tag ${tag}`);
  return { kind: kindOf(tag), content, items: [] };
}

function kindOf(tag: number): BerValue["kind"] {
  switch (tag) {
    case tags.integer:
      return "integer";
    case tags.identifier:
      return "identifier";
    case tags.bits:
      return "bits";
    case tags.octets:
      return "octets";
    default:
      return "other";
  }
}

function hasForm(tag: number, content: Uint8Array): boolean {
  const [first = 0, second = 0] = content;
  switch (tag) {
    case tags.boolean:
      return content.length === 1;
    case tags.integer:
      return isInteger(content);
    case tags.enumerated:
      return isInteger(content) && first < 0x80;
    case tags.bits:
      return content.length > 0 && (first === 0 || (first <= 7 && content.length > 1));
    case tags.nothing:
      return content.length === 0;
    case tags.identifier:
    case tags.relativeIdentifier:
      return isIdentifier(content);
    case tags.utcTime:
      return isDigit(first) && isDigit(second);
    case tags.time:
      return content.length >= 4 && content.subarray(0, 4).every(isDigit);
    case tags.bmp:
      return content.length % 2 === 0;
    case tags.octets:
    case tags.descriptor:
    case tags.utf8:
    case tags.graphic:
    case tags.visible:
    case tags.general:
    case tags.universal:
      return true;
    default:
      return tag >= tags.firstString && tag <= tags.lastOldString;
  }
}

/** Whether the integer is encoded in the fewest bytes. */
function isInteger(content: Uint8Array): boolean {
  const [first, second] = content;
  if (first === undefined) return false;
  return second === undefined || first !== (second < 0x80 ? 0 : 0xff);
}

/** Numbers in groups of seven bits: none with leading zeros, the last one complete. */
function isIdentifier(content: Uint8Array): boolean {
  if (content.length === 0 || content.length > maxIdentifierBytes) return false;
  return (
    (content.at(-1) as number) < 0x80 &&
    content.every((byte, index) => byte !== 0x80 || (index > 0 && (content[index - 1] as number) >= 0x80))
  );
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** @throws BerError values of this kind have no parts, or not these */
function constructed(tag: number, items: readonly BerValue[]): BerValue {
  switch (tag) {
    case tags.sequence:
      return { kind: "sequence", content: noBytes, items };
    case tags.set:
      return { kind: "other", content: noBytes, items };
    case tags.bits:
      return { kind: "bits", content: concatenatedBits(items), items: [] };
    case tags.octets:
      if (items.some(({ kind }) => kind !== "octets")) throw new BerError("other than octets in octets");
      return { kind: "octets", content: concatBytes(...items.map(({ content }) => content)), items: [] };
    default:
      throw new BerError(`the tag ${tag} has no parts`);
  }
}

/** @throws BerError a segment other than the last leaves bits unused */
function concatenatedBits(segments: readonly BerValue[]): Uint8Array {
  const last = segments.at(-1);
  if (last === undefined) return Uint8Array.of(0);
  if (segments.some(({ kind, content }) => kind !== "bits" || (content !== last.content && content[0] !== 0))) {
    throw new BerError("other than whole bytes in bits");
  }
  return concatBytes(last.content.subarray(0, 1), ...segments.map(({ content }) => content.subarray(1)));
}

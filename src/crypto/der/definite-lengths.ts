/**
 * Converts a value of indefinite length to definite lengths, as the reference's platform does.
 * @source Java 17: sun.security.util.DerIndefLenConverter
 */
import { DerError } from "./der-error.ts";

const longForm = 0x80;
const maxLengthBytes = 4;
const endMarkBytes = 2;

/** A value of indefinite length inside the input. */
interface Section {
  /** Offset after the length byte. */
  readonly start: number;
  /** Encoded definite length; undefined until its end mark is found. */
  length: Uint8Array | undefined;
  /** Bytes by which the closed sections inside grow. */
  grownBytes: number;
}

/** The converted value, and the number of bytes after it in the input. */
export interface DefiniteValue {
  /** Lengths in longer form than needed leave a gap at the end of the value: the platform's bug. */
  readonly value: Uint8Array;
  readonly restBytes: number;
}

/**
 * Converts the first value of the input.
 * PERF: the bytes after the value are not copied, as there may be thousands of values one after the other.
 * @param bytes begin with a value of indefinite length
 * @throws DerError
 */
export function withDefiniteLengths(bytes: Uint8Array): DefiniteValue {
  const { sections, sizeBytes } = readSections(bytes);
  const grownBytes = sections.reduce((sum, { length }) => sum + growth(length), 0);
  const value = new Uint8Array(sizeBytes + grownBytes);
  writeValue(bytes.subarray(0, sizeBytes), sections, value);
  return { value, restBytes: bytes.length - sizeBytes };
}

/** Size of a definite length less that of the indefinite length byte and the end mark. */
function growth(length: Uint8Array | undefined): number {
  return (length?.length ?? 0) - 1 - endMarkBytes;
}

function readSections(bytes: Uint8Array): { readonly sections: readonly Section[]; readonly sizeBytes: number } {
  const sections: Section[] = [];
  const open: Section[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + endMarkBytes > bytes.length) break;
    if (isEndMark(bytes, at)) close(open, at);
    at++;
    const first = bytes[at] as number;
    at++;
    if (first === longForm) {
      const section: Section = { start: at, length: undefined, grownBytes: 0 };
      sections.push(section);
      open.push(section);
    } else if (first < longForm) {
      at += first;
    } else {
      const count = first - longForm;
      if (count > maxLengthBytes) throw new DerError("Too much data");
      if (bytes.length - at < count + 1) break;
      const sizeBytes = signedLength(bytes.subarray(at, at + count));
      if (sizeBytes < 0) throw new DerError("Invalid length bytes");
      at += count + sizeBytes;
      if (at > 2 ** 31 - 1) throw new DerError("Data overflow");
    }
    if (open.length === 0) return { sections, sizeBytes: at };
  }
  throw new DerError("not enough data to resolve indef len BER");
}

/** Reads a length as a signed number of 32 bits. */
export function signedLength(digits: Iterable<number>): number {
  let sum = 0;
  for (const digit of digits) sum = ((sum << 8) + digit) | 0;
  return sum;
}

function isEndMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0;
}

/** Closes the innermost open section: its length counts the inner sections in their converted form. */
function close(open: Section[], at: number): void {
  const section = open.pop();
  if (section === undefined) return;
  section.length = lengthBytes(at - section.start + section.grownBytes);
  const outer = open.at(-1);
  if (outer !== undefined) outer.grownBytes += section.grownBytes + growth(section.length);
}

function lengthBytes(sizeBytes: number): Uint8Array {
  if (sizeBytes < longForm) return Uint8Array.of(sizeBytes);
  const digits: number[] = [];
  for (let rest = sizeBytes; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return Uint8Array.of(longForm + digits.length, ...digits);
}

function writeValue(bytes: Uint8Array, sections: readonly Section[], target: Uint8Array): void {
  let written = 0;
  const write = (part: Uint8Array): void => {
    target.set(part, written);
    written += part.length;
  };
  let section = 0;
  for (let at = 0; at < bytes.length; ) {
    while (at < bytes.length && isEndMark(bytes, at)) at += endMarkBytes;
    if (at >= bytes.length) return;
    write(bytes.subarray(at, at + 1));
    const first = bytes[at + 1] as number;
    at += 2;
    if (first === longForm) {
      write((sections[section++] as Section).length as Uint8Array);
      continue;
    }
    let sizeBytes = first;
    if (first > longForm) {
      const count = first - longForm;
      sizeBytes = signedLength(bytes.subarray(at, at + count));
      at += count;
    }
    write(lengthBytes(sizeBytes));
    write(bytes.subarray(at, at + sizeBytes));
    at += sizeBytes;
  }
}

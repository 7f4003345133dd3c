/**
 * Text as UTF-8, as the reference's platform encodes it: half of a surrogate pair, which has no UTF-8, becomes `?`.
 * @source OpenJDK: java.lang.String (encodeUTF8); protobuf-java: CodedOutputStream.writeStringNoTag
 */

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const encoder = new TextEncoder();
const halves = /\p{Surrogate}/gu;

/** Up to this many bytes, a loop over ASCII is faster than the decoder. */
const shortBytes = 48;

export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(withoutHalves(text));
}

/** Replaces every half of a surrogate pair with `?`: the text after a round trip through bytes. */
export function withoutHalves(text: string): string {
  return text.isWellFormed() ? text : text.replace(halves, "?");
}

/** Whether another text may give the same bytes. */
export function hasSpellings(text: string): boolean {
  return withoutHalves(text).includes("?");
}

/** Decoded text; undefined for malformed UTF-8. */
export function findUtf8Text(bytes: Uint8Array, start = 0, end = bytes.length): string | undefined {
  const ascii = asciiText(bytes, start, end);
  if (ascii !== undefined) return ascii;
  try {
    return strict.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}

/**
 * Decodes with U+FFFD for malformed bytes: one for each longest sequence that could begin a character, as browsers do,
 * except that a surrogate counts as one sequence.
 * @source OpenJDK: java.lang.String (decodeUTF8_UTF16)
 */
export function utf8TextWithReplacements(bytes: Uint8Array): string {
  return asciiText(bytes, 0, bytes.length) ?? lenient.decode(withoutSurrogates(bytes));
}

/**
 * Replaces every encoded surrogate (0xed 0xa0–0xbf, its third byte may be missing) with one byte that begins no
 * character.
 */
function withoutSurrogates(bytes: Uint8Array): Uint8Array {
  const result: number[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const isSurrogate = bytes[index] === 0xed && (bytes[index + 1] ?? 0) >> 5 === 0b101;
    result.push(isSurrogate ? 0xff : (bytes[index] as number));
    if (isSurrogate) index += (bytes[index + 2] ?? 0) >> 6 === 0b10 ? 2 : 1;
  }
  return result.length === bytes.length ? bytes : Uint8Array.from(result);
}

function asciiText(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > shortBytes) return undefined;
  let text = "";
  for (let index = start; index < end; index++) {
    const code = bytes[index] as number;
    if (code > 0x7f) return undefined;
    text += String.fromCharCode(code);
  }
  return text;
}

/** Size of the text as UTF-8. Cheap for ASCII. */
export function utf8SizeBytes(text: string): number {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return utf8Bytes(text).length;
  }
  return text.length;
}

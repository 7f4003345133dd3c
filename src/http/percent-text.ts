/**
 * Percent-encoding in paths. An encoded slash does not separate segments: a path is split before they are decoded.
 * @source akka-http: model/Uri.scala (Path, decode); RFC 3986, 6.2.2.2
 */
import { utf8Bytes, utf8TextWithReplacements } from "../protocol/codec/utf8.ts";

const percent = 0x25;

/**
 * Decodes percent-encoding; invalid UTF-8 is replaced.
 * @returns undefined: a percent sign is not followed by two digits
 */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes("%")) return text;
  const bytes = utf8Bytes(text);
  const decoded: number[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte !== percent) decoded.push(byte);
    else {
      const digits = String.fromCharCode(...bytes.subarray(index + 1, index + 3));
      if (!/^[\da-f]{2}$/i.test(digits)) return undefined;
      decoded.push(Number.parseInt(digits, 16));
      index += 2;
    }
  }
  return utf8TextWithReplacements(Uint8Array.from(decoded));
}

/** Decodes characters of a path that never need encoding: letters, digits, and `-._~`. */
export function withPlainLetters(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi, (letter) => decodeURIComponent(letter));
}

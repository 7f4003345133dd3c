/**
 * Percent-encoded parts of paths. A slash that is encoded is none: a path is cut into segments before they are decoded.
 * @source akka-http: model/Uri.scala (Path, decode); RFC 3986, 6.2.2.2
 */
import { utf8Bytes, utf8TextWithReplacements } from "../protocol/codec/utf8.ts";

const percent = 0x25;

/** What is not UTF-8 is replaced. @returns undefined: there is a percent sign without two digits behind it */
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

/** The same path, with what never needs to be encoded as it is: letters, digits, and `-._~`. */
export function withPlainLetters(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi, (letter) => decodeURIComponent(letter));
}

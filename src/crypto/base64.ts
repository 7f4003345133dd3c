/**
 * Base64 (RFC 4648, section 4) as the reference node reads and prints it: scripts, binary data values, long byte
 * strings. The prefix `base64:` is always printed, and optional on input.
 *
 * @source Waves: lang/…/common/utils/Base64.scala (on java.util.Base64's basic decoder)
 */

export const BASE64_PREFIX = "base64:";

export type Base64Error =
  | {
      readonly code: "base64WrongChar";
      /** One UTF-16 unit. */
      readonly char: string;
      /** In characters, after the prefix. */
      readonly offset: number;
    }
  | {
      readonly code: "base64WrongEnding";
      /** Base64 digits before the padding: their number must not be 1 more than a multiple of 4. */
      readonly digits: number;
      /** Characters from the first `=` on: valid are none, or as many `=` as complete the last group of 4. */
      readonly padding: number;
    };

/** Encodes with padding, without the prefix. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}

/** Encodes with padding and prefix, as values of data entries and scripts are printed. */
export function encodePrefixedBase64(bytes: Uint8Array): string {
  return BASE64_PREFIX + encodeBase64(bytes);
}

/**
 * Decodes base64 with or without the prefix, or returns the error. The padding may be missing as a whole. The unused
 * bits of the last digit may have any value. Line breaks and the URL alphabet are refused.
 */
export function parseBase64(text: string): Uint8Array<ArrayBuffer> | Base64Error {
  const encoded = text.startsWith(BASE64_PREFIX) ? text.slice(BASE64_PREFIX.length) : text;
  const wrong = encoded.search(/[^A-Za-z0-9+/]/);
  const digits = wrong === -1 ? encoded.length : wrong;
  const padding = encoded.length - digits;
  if (wrong !== -1 && encoded.charAt(wrong) !== "=") {
    return { code: "base64WrongChar", char: encoded.charAt(wrong), offset: wrong };
  }
  const missing = (4 - (digits % 4)) % 4;
  if (missing === 3 || (padding !== 0 && encoded.slice(digits) !== "=".repeat(missing))) {
    return { code: "base64WrongEnding", digits, padding };
  }
  return new Uint8Array(Buffer.from(encoded, "base64"));
}

/**
 * Charset of a text body, from its Content-Type. JSON, forms and files have a fixed one.
 * @source akka-http: PredefinedFromEntityUnmarshallers.scala (stringUnmarshaller)
 */

/** Decodes the bytes of a body as text. */
export type DecodeText = (bytes: Uint8Array) => string;

/** A byte order mark is part of the text: JSON may not begin with one, and it is part of a text that is hashed. */
const textOptions = { fatal: false, ignoreBOM: true } as const;

/** Invalid UTF-8 is replaced. */
const decodeUtf8: DecodeText = (bytes) => new TextDecoder("utf-8", textOptions).decode(bytes);

const contentTypePattern =
  /^[ \t]*text\/[!#$%&'*+.^_`|~\w-]+[ \t]*(?:;[ \t]*[!#$%&'*+.^_`|~\w-]+[ \t]*=[ \t]*(?:[!#$%&'*+.^_`|~\w-]+|"[^"]*")[ \t]*)*$/i;
const charsetPattern = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;"]+))/i;

const latin1Names: ReadonlySet<string> = new Set(["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "cp819"]);
const asciiNames: ReadonlySet<string> = new Set(["us-ascii", "ascii", "iso646-us"]);

const replacement = "\ufffd";

/** Code pages in which the Encoding standard decodes undefined bytes as control characters. */
const codePagePattern = /^(?:windows-|cp)\d+$/;
const controlPattern = /[\x80-\x9f]/g;

/** Decodes each byte as the character of that number, below a limit. */
function decodeBytewise(limit: number): DecodeText {
  return (bytes) => Array.from(bytes, (byte) => (byte < limit ? String.fromCharCode(byte) : replacement)).join("");
}

/** The byte order mark sets the order and is dropped; the default is big-endian. */
const decodeUtf16: DecodeText = (bytes) => {
  const isLittleEndian = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isLittleEndian ? "utf-16le" : "utf-16be").decode(bytes);
};

/** @param contentType header @returns undefined for an unknown charset */
export function textDecoderFor(contentType: string | null): DecodeText | undefined {
  if (contentType === null || !contentTypePattern.test(contentType)) return decodeUtf8;
  const [, quoted, plain] = charsetPattern.exec(contentType) ?? [];
  const name = (quoted ?? plain)?.toLowerCase();
  if (name === undefined || name === "utf-8") return decodeUtf8;
  if (latin1Names.has(name)) return decodeBytewise(0x100);
  if (asciiNames.has(name)) return decodeBytewise(0x80);
  if (name === "utf-16") return decodeUtf16;
  try {
    const decoder = new TextDecoder(name, textOptions);
    if (!codePagePattern.test(name)) return (bytes) => decoder.decode(bytes);
    return (bytes) => decoder.decode(bytes).replace(controlPattern, replacement);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

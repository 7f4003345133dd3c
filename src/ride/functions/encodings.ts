/**
 * Byte vectors as text in base 58, 64 and 16, and back.
 * @source Waves: lang/v1/evaluator/ctx/impl/CryptoContext.scala, lang/v1/BaseGlobal.scala; Guava: BaseEncoding
 */
import { encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import { encodeBase64, parseBase64 } from "../../crypto/base64.ts";
import { encodeHex } from "../../crypto/hex.ts";
import { ExecutionError } from "../execution-error.ts";
import type { Text } from "../values/text.ts";
import { bytesValue, MAX_DATA_BYTES, MAX_VALUE_BYTES, textValue } from "../values/value.ts";
import { type LibraryFunction, type NativeFunction, type NativeOptions, native } from "./function-definition.ts";

const max = {
  base58Bytes: 64,
  base58Characters: 100,
  base64Bytes: 32 * 1024,
  base64Characters: 44 * 1024,
  base16Bytes: 8 * 1024,
  base16Characters: 32 * 1024,
  /** Limit of the functions with complexity 1. */
  shortBytes: 1024,
  shortBase64Characters: 1375,
  shortBase16Characters: 2048,
} as const;
const strictSince = 4;
/** First version whose error contains the character in its original case. */
const asWrittenSince = 9;

function encoded(text: string, libraryVersion: number): Text {
  return textValue(text, libraryVersion >= strictSince ? MAX_VALUE_BYTES : MAX_DATA_BYTES);
}

export const encodingFunctions: readonly LibraryFunction[] = [
  native(600, "toBase58String(bytes: ByteVector): String", {
    since: 1,
    complexity: { 1: 10, 4: 3 },
    takes: ["ByteVector"],
    evaluate: ([bytes], { libraryVersion }) => {
      if (bytes.length > max.base58Bytes) throw new ExecutionError(`base58Encode input exceeds ${max.base58Bytes}`);
      return encoded(encodeBase58(bytes), libraryVersion);
    },
  }),
  native(601, "fromBase58String(str: String): ByteVector", {
    since: 1,
    complexity: { 1: 10, 4: 1 },
    takes: ["String"],
    evaluate: ([{ text }]) => {
      if (text.length > max.base58Characters) {
        throw new ExecutionError(`base58Decode input exceeds ${max.base58Characters}`);
      }
      const bytes = parseBase58(text);
      if (!(bytes instanceof Uint8Array)) throw new ExecutionError("can't parse Base58 string");
      return bytes;
    },
  }),
  toBase64(602, "toBase64String", { since: 1, complexity: { 1: 10, 4: 35, 9: 3 } }, max.base64Bytes),
  toBase64(606, "toBase64String_1C", { since: 9, complexity: 1 }, max.shortBytes),
  fromBase64(603, "fromBase64String", { since: 1, complexity: { 1: 10, 4: 40, 9: 12 } }, max.base64Characters),
  fromBase64(607, "fromBase64String_1C", { since: 9, complexity: 1 }, max.shortBase64Characters, max.shortBytes),
  toBase16(604, "toBase16String", { since: 3, complexity: { 3: 10, 9: 4 } }, max.base16Bytes),
  toBase16(608, "toBase16String_1C", { since: 9, complexity: 1 }, max.shortBytes),
  fromBase16(605, "fromBase16String", { since: 3, complexity: { 3: 10, 9: 4 } }, max.base16Characters),
  fromBase16(609, "fromBase16String_1C", { since: 9, complexity: 1 }, max.shortBase16Characters),
];

type Definition = Pick<NativeOptions<["String"]>, "since" | "complexity">;

function toBase64(id: number, name: string, definition: Definition, maxBytes: number): NativeFunction {
  return native(id, `${name}(bytes: ByteVector): String`, {
    ...definition,
    takes: ["ByteVector"],
    usage: "toBase64String(bytes: ByteVector)",
    evaluate: ([bytes], { libraryVersion }) => {
      if (bytes.length > maxBytes) throw new ExecutionError(`base64Encode input exceeds ${maxBytes}`);
      return encoded(encodeBase64(bytes), libraryVersion);
    },
  });
}

function fromBase64(
  id: number,
  name: string,
  definition: Definition,
  maxCharacters: number,
  maxBytes = Number.POSITIVE_INFINITY,
): NativeFunction {
  return native(id, `${name}(str: String): ByteVector`, {
    ...definition,
    takes: ["String"],
    evaluate: ([{ text }]) => {
      if (text.length > maxCharacters) throw new ExecutionError(`base64Decode input exceeds ${maxCharacters}`);
      const bytes = parseBase64(text);
      if (!(bytes instanceof Uint8Array)) throw new ExecutionError("can't parse Base64 string");
      if (bytes.length > maxBytes) {
        throw new ExecutionError(`byte vector length ${bytes.length} exceeds limit ${maxBytes}`);
      }
      return bytesValue(bytes);
    },
  });
}

function toBase16(id: number, name: string, definition: Definition, maxBytes: number): NativeFunction {
  return native(id, `${name}(bytes: ByteVector): String`, {
    ...definition,
    takes: ["ByteVector"],
    usage: "toBase16String(bytes: ByteVector)",
    evaluate: ([bytes], { libraryVersion }) => {
      if (libraryVersion >= strictSince && bytes.length > maxBytes) {
        throw new ExecutionError(`Base16 encode input length=${bytes.length} should not exceed ${maxBytes}`);
      }
      return textValue(encodeHex(bytes));
    },
  });
}

function fromBase16(id: number, name: string, definition: Definition, maxCharacters: number): NativeFunction {
  return native(id, `${name}(str: String): ByteVector`, {
    ...definition,
    takes: ["String"],
    usage: "fromBase16String(str: String)",
    evaluate: ([{ text }], { libraryVersion }) => {
      if (libraryVersion >= strictSince && text.length > maxCharacters) {
        throw new ExecutionError(`Base16 decode input length=${text.length} should not exceed ${maxCharacters}`);
      }
      return bytesValue(base16Bytes(libraryVersion >= asWrittenSince ? text : text.toLowerCase()));
    },
  });
}

function base16Bytes(text: string): Uint8Array {
  if (text.length % 2 === 1) throw new ExecutionError(`Invalid input length ${text.length}`);
  const position = text.search(/[^0-9a-fA-F]/);
  if (position !== -1)
    throw new ExecutionError(`Unrecognized character: ${printedCharacter(text.charCodeAt(position))}`);
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** Characters that are not printable are shown as codes. */
function printedCharacter(code: number): string {
  return code <= 0x20 || code >= 0x7f ? `0x${code.toString(16)}` : String.fromCharCode(code);
}

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
import { type LibraryFunction, native } from "./function-row.ts";

const max = {
  base58Bytes: 64,
  base58Characters: 100,
  base64Bytes: 32 * 1024,
  base64Characters: 44 * 1024,
  base16Bytes: 8 * 1024,
  base16Characters: 32 * 1024,
} as const;
const strictSince = 4;

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
  native(602, "toBase64String(bytes: ByteVector): String", {
    since: 1,
    complexity: { 1: 10, 4: 35 },
    takes: ["ByteVector"],
    evaluate: ([bytes], { libraryVersion }) => {
      if (bytes.length > max.base64Bytes) throw new ExecutionError(`base64Encode input exceeds ${max.base64Bytes}`);
      return encoded(encodeBase64(bytes), libraryVersion);
    },
  }),
  native(603, "fromBase64String(str: String): ByteVector", {
    since: 1,
    complexity: { 1: 10, 4: 40 },
    takes: ["String"],
    evaluate: ([{ text }]) => {
      if (text.length > max.base64Characters) {
        throw new ExecutionError(`base64Decode input exceeds ${max.base64Characters}`);
      }
      const bytes = parseBase64(text);
      if (!(bytes instanceof Uint8Array)) throw new ExecutionError("can't parse Base64 string");
      return bytesValue(bytes);
    },
  }),
  native(604, "toBase16String(bytes: ByteVector): String", {
    since: 3,
    complexity: 10,
    takes: ["ByteVector"],
    evaluate: ([bytes], { libraryVersion }) => {
      if (libraryVersion >= strictSince && bytes.length > max.base16Bytes) {
        throw new ExecutionError(`Base16 encode input length=${bytes.length} should not exceed ${max.base16Bytes}`);
      }
      return textValue(encodeHex(bytes));
    },
  }),
  native(605, "fromBase16String(str: String): ByteVector", {
    since: 3,
    complexity: 10,
    takes: ["String"],
    evaluate: ([{ text }], { libraryVersion }) => {
      if (libraryVersion >= strictSince && text.length > max.base16Characters) {
        throw new ExecutionError(`Base16 decode input length=${text.length} should not exceed ${max.base16Characters}`);
      }
      return bytesValue(base16Bytes(text.toLowerCase()));
    },
  }),
];

function base16Bytes(text: string): Uint8Array {
  if (text.length % 2 === 1) throw new ExecutionError(`Invalid input length ${text.length}`);
  const wrong = text.search(/[^0-9a-f]/);
  if (wrong !== -1) throw new ExecutionError(`Unrecognized character: ${shownCharacter(text.charCodeAt(wrong))}`);
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** Characters without a shape of their own are shown by their code. */
function shownCharacter(code: number): string {
  return code <= 0x20 || code >= 0x7f ? `0x${code.toString(16)}` : String.fromCharCode(code);
}

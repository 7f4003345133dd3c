/**
 * Values in the notation of Ethereum's tools.
 * @source docs/protocol/rest-api.md 3.17; Ethereum JSON-RPC (quantities, data); Ethereum contract ABI
 */
import { addressOfPublicKeyHash, PUBLIC_KEY_HASH_BYTES } from "../../crypto/address.ts";
import { encodeHex, readHex } from "../../crypto/hex.ts";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-error.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";

type Hex = `0x${string}`;

const wordDigits = 64;

/** A number without leading zeros; a negative one has its sign after the prefix, as in the reference. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** Digits of a text with or without prefix. */
export function digitsOf(text: string): string {
  return text.startsWith("0x") ? text.slice(2) : text;
}

/**
 * Address of an account, a dApp or an asset: 20 bytes.
 * @throws ApiError requestInvalid: it has another size; the reference then fails
 */
export function ethereumAddress(text: string): Uint8Array {
  const bytes = readHex(text);
  if (bytes.length === PUBLIC_KEY_HASH_BYTES) return bytes;
  const message = `An address has ${PUBLIC_KEY_HASH_BYTES} bytes, not ${bytes.length}`;
  throw new ApiError({ code: "requestInvalid", message });
}

/** @throws ApiError requestInvalid */
export function accountOf(text: string, chainId: number): Address {
  return addressOfPublicKeyHash(ethereumAddress(text), chainId);
}

/** A non-negative number as the result of a contract. */
export function numberResult(value: bigint | number): Hex {
  return `0x${word(value)}`;
}

/** A text as the result of a contract. */
export function textResult(text: string): Hex {
  const bytes = utf8Bytes(text);
  const words = Math.ceil((2 * bytes.length) / wordDigits);
  return `0x${word(wordDigits / 2)}${word(bytes.length)}${encodeHex(bytes).padEnd(words * wordDigits, "0")}`;
}

function word(value: bigint | number): string {
  return value.toString(16).padStart(wordDigits, "0");
}

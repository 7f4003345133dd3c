/**
 * Values as Ethereum's tools write them.
 * @source docs/protocol/rest-api.md 3.17; Ethereum JSON-RPC (quantities, data); Ethereum contract ABI
 */
import { addressOfPublicKeyHash, PUBLIC_KEY_HASH_BYTES } from "../../crypto/address.ts";
import { encodeHex, readHex } from "../../crypto/hex.ts";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-fault.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";

type Hex = `0x${string}`;

const wordDigits = 64;

/** A number without leading zeros; one below zero has its sign behind the prefix, as the reference writes it. */
export function quantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}

/** The digits of a text with or without prefix. */
export function digitsOf(text: string): string {
  return text.startsWith("0x") ? text.slice(2) : text;
}

/**
 * What stands for an account, a dApp or an asset: 20 bytes.
 * @throws ApiError requestInvalid: it has another size; the reference breaks then
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

/** A result of a contract that is a number, not below zero. */
export function numberResult(value: bigint | number): Hex {
  return `0x${word(value)}`;
}

/** A result of a contract that is a text. */
export function textResult(text: string): Hex {
  const bytes = utf8Bytes(text);
  const words = Math.ceil((2 * bytes.length) / wordDigits);
  return `0x${word(wordDigits / 2)}${word(bytes.length)}${encodeHex(bytes).padEnd(words * wordDigits, "0")}`;
}

function word(value: bigint | number): string {
  return value.toString(16).padStart(wordDigits, "0");
}

/**
 * RSA keys as a long-running reference node reads them: its platform's rules first, then those of a second provider,
 * then the verifier's rules for the numbers.
 * @see docs/decisions/0018-rsa-keys-of-a-long-running-reference.md
 */
import { computeNow, type RunStep } from "../long-step.ts";
import { findLenientKey } from "./lenient-key.ts";
import { findModulusError } from "./modulus-error.ts";
import { readPlatformKey } from "./platform-key.ts";
import { bitLength, type RsaPublicKey } from "./rsa-key.ts";

/** Work of the longest modulus with an exponent of its size, in bit operations: seconds, for the reference too. */
const maxWork = 16_384 ** 3;

/**
 * Work of a modulus of 4,096 bits with an exponent of its size: a fiftieth of a second. A script that verifies as many
 * as its complexity allows then takes one second.
 */
const maxQuickWork = 4_096 ** 3;

/**
 * Whether a signature of the key, or the first validation of its modulus, takes too long for repeated use.
 * @param encoded as for `parseRsaPublicKey`
 */
export function isSlowRsaKey(encoded: Uint8Array): boolean {
  const platform = readPlatformKey(encoded);
  const key = typeof platform === "string" ? findLenientKey(encoded) : platform;
  return key !== undefined && Math.max(workOf(key), bitLength(key.modulus) ** 3) > maxQuickWork;
}

/** Reason why a signature is not verified, with the reference's error text. */
export type RsaKeyError =
  /** The bytes are not a key. */
  | { readonly kind: "unreadable"; readonly message: string }
  /** The bytes are a key, but its numbers are refused. */
  | { readonly kind: "unsafe"; readonly message: string };

/**
 * Parses a public key as X.509 writes it (SubjectPublicKeyInfo); bytes after the key are ignored.
 * Cost: see `findModulusError`.
 */
export function parseRsaPublicKey(encoded: Uint8Array, run: RunStep = computeNow): RsaPublicKey | RsaKeyError {
  const key = readPlatformKey(encoded);
  if (typeof key !== "string") {
    const error = findModulusError(key, run);
    return error === undefined ? key : { kind: "unsafe", message: error };
  }
  const lenient = findLenientKey(encoded);
  if (lenient !== undefined && !isTooLong(lenient) && findModulusError(lenient, run) === undefined) return lenient;
  return { kind: "unreadable", message: key };
}

/** Whether one signature would take longer than a block may. */
function isTooLong(key: RsaPublicKey): boolean {
  return workOf(key) > maxWork;
}

function workOf({ modulus, exponent }: RsaPublicKey): number {
  return bitLength(exponent) * bitLength(modulus) ** 2;
}

export function isRsaKeyError(parsed: RsaPublicKey | RsaKeyError): parsed is RsaKeyError {
  return "kind" in parsed;
}

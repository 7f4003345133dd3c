/**
 * Keys of RSA as a reference node takes them that has run for long: its platform's rules first, then those of a second
 * provider, then what the verifier asks of the numbers.
 * @see docs/decisions/0018-rsa-keys-of-a-long-running-reference.md
 */
import { computeNow, type RunStep } from "../long-step.ts";
import { findLenientKey } from "./lenient-key.ts";
import { findModulusFault } from "./modulus-fault.ts";
import { readPlatformKey } from "./platform-key.ts";
import { bitLength, type RsaPublicKey } from "./rsa-key.ts";

/** The work of the longest modulus with an exponent of its size, in bits: seconds, for the reference too. */
const maxWork = 16_384 ** 3;

/**
 * That of a modulus of 4,096 bits with an exponent of its size: a fiftieth of a second, so that a script which looks at as many
 * as its complexity allows takes one second.
 */
const maxQuickWork = 4_096 ** 3;

/**
 * Whether a signature of the key, or the first look at its modulus, takes too long where it is looked at many times over.
 * @param encoded as for `parseRsaPublicKey`
 */
export function isSlowRsaKey(encoded: Uint8Array): boolean {
  const platform = readPlatformKey(encoded);
  const key = typeof platform === "string" ? findLenientKey(encoded) : platform;
  return key !== undefined && Math.max(workOf(key), bitLength(key.modulus) ** 3) > maxQuickWork;
}

/** Why a signature is not looked at, in the reference's words. */
export type RsaKeyFault =
  /** The bytes are no key. */
  | { readonly kind: "unreadable"; readonly message: string }
  /** They are, but its numbers will not do. */
  | { readonly kind: "unsafe"; readonly message: string };

/**
 * A public key as X.509 writes it (SubjectPublicKeyInfo); what follows the key is not looked at.
 * Cost: see `findModulusFault`.
 */
export function parseRsaPublicKey(encoded: Uint8Array, run: RunStep = computeNow): RsaPublicKey | RsaKeyFault {
  const key = readPlatformKey(encoded);
  if (typeof key !== "string") {
    const fault = findModulusFault(key, run);
    return fault === undefined ? key : { kind: "unsafe", message: fault };
  }
  const lenient = findLenientKey(encoded);
  if (lenient !== undefined && !isTooLong(lenient) && findModulusFault(lenient, run) === undefined) return lenient;
  return { kind: "unreadable", message: key };
}

/** One signature would take longer than a block may. */
function isTooLong(key: RsaPublicKey): boolean {
  return workOf(key) > maxWork;
}

function workOf({ modulus, exponent }: RsaPublicKey): number {
  return bitLength(exponent) * bitLength(modulus) ** 2;
}

export function isRsaKeyFault(parsed: RsaPublicKey | RsaKeyFault): parsed is RsaKeyFault {
  return "kind" in parsed;
}

/** Fragments of Ride source that several scripts share. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { SeededRandom } from "../seeded-random.ts";

const keyBytes = 32;
const signatureBytes = 64;

export function bytesText(bytes: Uint8Array): string {
  return `base58'${encodeBase58(bytes)}'`;
}

/** A text literal; the text must not contain quotes or backslashes. */
export function stringText(text: string): string {
  return `"${text}"`;
}

/**
 * An expensive condition that is false: each signature in it costs 200 (100 until version 3).
 * @param message any bytes
 */
export function expensiveFalsehood(random: SeededRandom, signatures: number, message: string): string {
  const checks = Array.from({ length: signatures }, () => {
    const [signature, key] = [random.bytes(signatureBytes), random.bytes(keyBytes)];
    return `sigVerify(${message}, ${bytesText(signature)}, ${bytesText(key)})`;
  });
  return checks.length === 0 ? "false" : checks.join(" || ");
}

/** Bytes from the cryptographically secure generator of the runtime. @param sizeBytes at most 65,536 */
export function secureRandomBytes(sizeBytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(sizeBytes));
}

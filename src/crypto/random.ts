/** Where bytes that nobody can foresee come from. A chain that is made anew by a seed takes them from the seed. */
export type RandomSource = (sizeBytes: number) => Uint8Array;

/** Bytes from the cryptographically secure generator of the runtime. @param sizeBytes at most 65,536 */
export const secureRandomBytes: RandomSource = (sizeBytes) => crypto.getRandomValues(new Uint8Array(sizeBytes));

/** Source of unpredictable bytes. A chain that is generated from a seed derives them from the seed. */
export type RandomSource = (sizeBytes: number) => Uint8Array;

/** Bytes of the runtime's cryptographically secure generator. @param sizeBytes at most 65,536 */
export const secureRandomBytes: RandomSource = (sizeBytes) => crypto.getRandomValues(new Uint8Array(sizeBytes));

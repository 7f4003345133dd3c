/** RSA public key. */
export interface RsaPublicKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
}

/** Number of digits in base 2. */
export function bitLength(value: bigint): number {
  const digits = value.toString(16);
  return value === 0n ? 0 : digits.length * 4 - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
}

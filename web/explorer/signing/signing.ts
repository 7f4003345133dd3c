/** Keys and signatures: a separate bundle, loaded only for signing. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";

export interface Signer {
  /** Base58. */
  readonly publicKey: string;
  /** @param bytes to sign @returns base58 */
  readonly proofOf: (bytes: Uint8Array) => string;
}

/** The first account of a seed phrase, derived as wallets do. */
export function signerOf(phrase: string): Signer {
  const { publicKey, privateKey } = keyPairOfAccountSeed(accountSeed(new TextEncoder().encode(phrase), 0));
  return {
    publicKey: encodeBase58(publicKey),
    proofOf: (bytes) => encodeBase58(sign(privateKey, bytes, secureRandomBytes(64))),
  };
}

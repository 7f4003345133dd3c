/**
 * Key derivation: from a wallet's seed to the keys of its accounts.
 *
 * @source Waves: node/…/wallet/Wallet.scala (generateAccountSeed), node/…/account/KeyPair.scala
 */
import { concatBytes, i32Bytes } from "./bytes.ts";
import { publicKeyOf } from "./curve25519.ts";
import { clampedScalar } from "./edwards25519.ts";
import { secureHash, sha256 } from "./hash.ts";
import type { Digest, KeyPair, PrivateKey } from "./identities.ts";

/** Seed of a wallet's account. @param nonce index of the account in the wallet, from 0; signed 32 bits */
export function accountSeed(walletSeed: Uint8Array, nonce: number): Digest {
  return secureHash(concatBytes(i32Bytes(nonce), walletSeed));
}

/** Key pair of an account seed (32 bytes in a wallet; the reference accepts any number). */
export function keyPairOfAccountSeed(seed: Uint8Array): KeyPair {
  const privateKey = clampedScalar(sha256(seed)) as Uint8Array as PrivateKey;
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

/** BLS keys of the wallet's accounts. */
import { type BlsPublicKey, type BlsSecretKey, blsPublicKeyOf, blsSecretKeyOf } from "../../../src/crypto/bls.ts";
import type { PrivateKey } from "../../../src/crypto/identities.ts";

export interface EndorserKeys {
  readonly publicKey: BlsPublicKey;
  readonly secretKey: BlsSecretKey;
}

/** Cache for the lifetime of the account object: a public key takes milliseconds, and every block needs it. */
const known = new WeakMap<PrivateKey, EndorserKeys>();

export function endorserKeysOf(privateKey: PrivateKey): EndorserKeys {
  const cached = known.get(privateKey);
  if (cached !== undefined) return cached;
  const secretKey = blsSecretKeyOf(privateKey);
  const keys: EndorserKeys = { secretKey, publicKey: blsPublicKeyOf(secretKey) };
  known.set(privateKey, keys);
  return keys;
}

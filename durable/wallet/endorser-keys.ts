/** The BLS keys of the wallet's accounts. */
import { type BlsPublicKey, type BlsSecretKey, blsPublicKeyOf, blsSecretKeyOf } from "../../src/crypto/bls.ts";
import type { PrivateKey } from "../../src/crypto/identities.ts";

export interface EndorserKeys {
  readonly publicKey: BlsPublicKey;
  readonly secretKey: BlsSecretKey;
}

/** For as long as somebody holds the account: a public key takes milliseconds, and every block asks for it. */
const known = new WeakMap<PrivateKey, EndorserKeys>();

export function endorserKeysOf(privateKey: PrivateKey): EndorserKeys {
  const before = known.get(privateKey);
  if (before !== undefined) return before;
  const secretKey = blsSecretKeyOf(privateKey);
  const keys: EndorserKeys = { secretKey, publicKey: blsPublicKeyOf(secretKey) };
  known.set(privateKey, keys);
  return keys;
}

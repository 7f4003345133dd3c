/**
 * Accounts that sign in 0.05 ms, for benchmarks that need thousands of signatures. Their private keys are the scalars
 * of native Ed25519 keys; a native signature with the key's sign bit in its last byte is a valid Curve25519 signature.
 */
import { createHash, createPrivateKey, createPublicKey, sign as signEd25519 } from "node:crypto";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { publicKeyOf } from "../../../src/crypto/curve25519.ts";
import type { Address, PrivateKey, PublicKey } from "../../../src/crypto/identities.ts";

/** Bytes before the seed in a PKCS 8 document (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");
const signBit = 0x80;

export interface NativeAccount {
  readonly publicKey: PublicKey;
  readonly privateKey: PrivateKey;
  readonly address: Address;
  sign(message: Uint8Array): Uint8Array;
}

export function nativeAccount(name: string, chainId: number): NativeAccount {
  const seed = createHash("sha256").update(name).digest();
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: "der", type: "pkcs8" });
  const privateKey = createHash("sha512").update(seed).digest().subarray(0, 32) as Uint8Array as PrivateKey;
  const publicKey = publicKeyOf(privateKey);
  const edwardsKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  const sign = (edwardsKey[31] as number) & signBit;
  return {
    publicKey,
    privateKey,
    address: addressOfPublicKey(publicKey, chainId),
    sign: (message) => {
      const signature = new Uint8Array(signEd25519(null, message, key));
      signature[63] = (signature[63] as number) | sign;
      return signature;
    },
  };
}

/** Branded byte strings, by which the compiler distinguishes a key from an id. */

/** Curve25519 (Montgomery) public key, 32 bytes. */
export type PublicKey = Uint8Array & { readonly __brand: "PublicKey" };
/** Clamped curve25519 scalar, 32 bytes. */
export type PrivateKey = Uint8Array & { readonly __brand: "PrivateKey" };
/** Curve25519 signature, 64 bytes. */
export type Signature = Uint8Array & { readonly __brand: "Signature" };
/** Result of a 32-byte hash function. */
export type Digest = Uint8Array & { readonly __brand: "Digest" };
/** version(1) ‖ chain id(1) ‖ public key hash(20) ‖ checksum(4): 26 bytes. */
export type Address = Uint8Array & { readonly __brand: "Address" };
/** Elliptic key pair of an account. */
export interface KeyPair {
  readonly publicKey: PublicKey;
  readonly privateKey: PrivateKey;
}

/**
 * Keys of Ethereum wallets: secp256k1, known only from the signatures they make.
 * @source EIP-155, EIP-712; SEC 1, 4.1.6; Waves: account/PublicKey.scala (toAddress)
 */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { addressOfPublicKeyHash } from "./address.ts";
import { concatBytes } from "./bytes.ts";
import { keccak256 } from "./hash.ts";
import { hexText } from "./hex.ts";
import type { Address } from "./identities.ts";

export const ETHEREUM_KEY_BYTES = 64;
const ethereumAddressBytes = 20;

const { Point } = secp256k1;
/** Arithmetic modulo the group order. */
const scalars = Point.Fn;
/** First byte of a compressed point, by the parity of y. */
const parityPrefix = { 0: 2, 1: 3 } as const;

/**
 * Recovers the key that signed a hash: both coordinates, 64 bytes; undefined if no key can have made the signature.
 *
 * Wallets sign with r and s above 0 and below the group order, s at most half of it. The network requires none of that:
 * s counts modulo the order, 0 included, and r may be any coordinate that is not a multiple of the order.
 * Cost: about a millisecond.
 * @param recovery 0 to 3: the first bit is the parity of y of the nonce's point, the second is set if one order was
 *   subtracted from its x
 * @source SEC 1, 4.1.6; web3j: crypto/Sign.java (recoverFromSignature)
 */
export function recoverEthereumKey(
  hash: Uint8Array,
  { r, s, recovery }: { r: bigint; s: bigint; recovery: number },
): Uint8Array | undefined {
  if (!Number.isInteger(recovery) || recovery < 0 || recovery > MAX_RECOVERY) return undefined;
  const x = r + BigInt(recovery >> 1) * scalars.ORDER;
  if (x >= Point.Fp.ORDER || r % scalars.ORDER === 0n) return undefined;
  const nonce = findPoint(x, (recovery & 1) as 0 | 1);
  if (nonce === undefined) return undefined;
  const inverse = scalars.inv(scalars.create(r));
  // (s R - e G) / r
  const key = Point.BASE.mulAddUnsafe(
    scalars.create(-BigInt(hexText(hash)) * inverse),
    nonce,
    scalars.create(s * inverse),
  );
  // The point at infinity has no coordinates; the reference gives it a key of zeros.
  return key.is0() ? new Uint8Array(ETHEREUM_KEY_BYTES) : key.toBytes(false).slice(1);
}

/**
 * Reason why no key was recovered: the nonce's x is outside the field, belongs to no point, or is a multiple of the
 * order.
 */
export type UnrecoverableKey = "pastField" | "noPoint" | "notInvertible";

/** Error texts, as the reference prints them. */
export const unrecoverableText = {
  pastField: "Could not recover public key from signature",
  noPoint: "Invalid point compression",
  notInvertible: "BigInteger not invertible.",
} as const satisfies Record<UnrecoverableKey, string>;

export const MAX_RECOVERY = 3;
export const wrongRecoveryText = `recId must be in the range of [0, ${MAX_RECOVERY}]`;

/** Finds the reason why `recoverEthereumKey` gives no key, for a signature whose recovery is in range. */
export function whyUnrecoverable({ r, recovery }: { r: bigint; recovery: number }): UnrecoverableKey {
  const x = r + BigInt(recovery >> 1) * scalars.ORDER;
  if (x >= Point.Fp.ORDER) return "pastField";
  return findPoint(x, (recovery & 1) as 0 | 1) === undefined ? "noPoint" : "notInvertible";
}

function findPoint(x: bigint, parity: 0 | 1) {
  try {
    return Point.fromBytes(concatBytes(Uint8Array.of(parityPrefix[parity]), Point.Fp.toBytes(x)));
  } catch {
    // The library throws if no point has that x.
    return undefined;
  }
}

/** Address on a Waves chain of the account of an Ethereum key. @param checkedChainId see `addressOfPublicKeyHash` */
export function addressOfEthereumKey(key: Uint8Array, chainId: number, checkedChainId: number = chainId): Address {
  return addressOfPublicKeyHash(keccak256(key).subarray(-ethereumAddressBytes), chainId, checkedChainId);
}

/**
 * Orders of an exchange transaction as values.
 * @source docs/protocol/rest-api.md 3.5; Waves: transaction/assets/exchange/Order.scala
 */
import type { PublicKey } from "../../crypto/identities.ts";
import type { Asset } from "./asset.ts";

export type OrderId = Uint8Array & { readonly __brand: "OrderId" };
export type OrderSide = "buy" | "sell";
export type PriceMode = "fixedDecimals" | "assetDecimals";

export interface Order {
  readonly version: number;
  readonly id: OrderId;
  /** Bytes that the proofs sign (versions 1 to 4 without an Ethereum signature). */
  readonly bodyBytes: Uint8Array;
  /** The order inside a legacy exchange transaction: legacy binary (1 to 3) or protobuf (4). */
  readonly bytes: Uint8Array;
  readonly chainId: number;
  /** Curve25519 key, or the 64-byte secp256k1 key recovered from the EIP-712 signature. */
  readonly sender: PublicKey | Uint8Array;
  readonly matcher: PublicKey;
  readonly amountAsset: Asset;
  readonly priceAsset: Asset;
  readonly side: OrderSide;
  readonly amount: bigint;
  readonly price: bigint;
  readonly timestamp: bigint;
  readonly expiration: bigint;
  readonly matcherFee: bigint;
  readonly matcherFeeAsset: Asset;
  readonly proofs: readonly Uint8Array[];
  /** 65 bytes; only version 4. */
  readonly eip712Signature: Uint8Array | null;
  readonly priceMode: PriceMode | null;
  /** Only version 4, from feature 22 on. */
  readonly attachment: Uint8Array | null;
}

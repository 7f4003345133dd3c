/**
 * Orders as bytes: legacy binary for versions 1 to 3, protobuf for version 4, and for all inside protobuf exchanges.
 * @source Waves: transaction/serialization/impl/OrderSerializer.scala, protobuf/transaction/PBOrders.scala;
 *   waves/order.proto
 */
import { concatBytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import type { ByteReader } from "../codec/byte-reader.ts";
import { type Codec, encode, i64, literal, mapped, struct, u8, type ValueOf } from "../codec/codec.ts";
import { encodeMessage, type MessageOf, message, oneOf, optional, repeated, scalar } from "../codec/protobuf.ts";
import { amount, asset, proofs, publicKey, signature } from "./legacy-fields.ts";
import { limits } from "./limits.ts";
import { amountMessage, amountOf, assetBytes, assetOfBytes, present, refuseField } from "./message-fields.ts";
import type { Order, OrderId, OrderSide, PriceMode } from "./order.ts";
import { recoverOrderSender } from "./order-typed-data.ts";

/** Fields that the order's sender chooses. `sender` is ignored if an Ethereum wallet's signature determines it. */
export type OrderFields = Omit<Order, "id" | "bodyBytes" | "bytes">;

const firstProtobufVersion = 4;
const curve25519KeyBytes = 32;
const ethereumKeyBytes = 64;
/** Key of an order whose signature no key can have made; such orders are refused with the exchange. */
const noKey = new Uint8Array(0);

const side: Codec<OrderSide> = mapped(
  u8,
  (kind, from) => (kind > 1 ? from.fail(`0 (buy) or 1 (sell) expected, got ${kind}`, from.offset - 1) : sideOf(kind)),
  sideNumber,
);

/** A key; an Ethereum wallet's 64 bytes are written unchanged, although no order with one can be signed or parsed. */
const anyKey: Codec<PublicKey> = { read: publicKey.read, write: (key, to) => to.bytes(key) };

const fields = {
  sender: anyKey,
  matcher: anyKey,
  amountAsset: asset,
  priceAsset: asset,
  side,
  price: amount,
  amount,
  timestamp: i64,
  expiration: i64,
  matcherFee: amount,
};
const bodyV1 = struct(fields);
const bodyV2 = struct({ version: literal(2), ...fields });
const bodyV3 = struct({ version: literal(3), ...fields, matcherFeeAsset: asset });
const bodies = { 1: bodyV1, 2: bodyV2, 3: bodyV3 } as const;
type LegacyBody = ValueOf<typeof bodyV1> & Partial<Pick<Order, "matcherFeeAsset">>;

const assetPairMessage = message("AssetPair", {
  amountAssetId: scalar(1, "bytes"),
  priceAssetId: scalar(2, "bytes"),
});
export const orderMessage = message("Order", {
  chainId: scalar(1, "int32"),
  senderPublicKey: oneOf("sender", 2, "bytes"),
  matcherPublicKey: scalar(3, "bytes"),
  assetPair: optional(4, assetPairMessage),
  orderSide: scalar(5, "enum"),
  amount: scalar(6, "int64"),
  price: scalar(7, "int64"),
  timestamp: scalar(8, "int64"),
  expiration: scalar(9, "int64"),
  matcherFee: optional(10, amountMessage),
  version: scalar(11, "int32"),
  proofs: repeated(12, "bytes", limits.proofs),
  eip712Signature: oneOf("sender", 13, "bytes"),
  priceMode: scalar(14, "enum"),
  attachment: scalar(15, "bytes"),
});
export type OrderMessage = MessageOf<typeof orderMessage>;
const priceModes: readonly (PriceMode | null)[] = [null, "fixedDecimals", "assetDecimals"];

/** Order with its derived fields. Cost: a millisecond when an Ethereum wallet signed it. */
export function buildOrder(given: OrderFields): Order {
  const { eip712Signature } = given;
  const sender = eip712Signature === null ? given.sender : (recoverOrderSender(given, eip712Signature) ?? noKey);
  const order = { ...given, sender };
  const bodyBytes = orderBody(order);
  return {
    ...order,
    id: blake2b256(bodyBytes) as Uint8Array as OrderId,
    bodyBytes,
    bytes: orderBytes(order, bodyBytes),
  };
}

/** Chain id of a legacy order after parsing: the bytes do not contain it. */
export const unknownChain = -1;

/** Parses an order of version 1 to 3 up to the end of the reader. @throws WireError */
export function readLegacyOrder(version: number, from: ByteReader): Order {
  const legacy = bodies[version as keyof typeof bodies] as Codec<LegacyBody> | undefined;
  if (legacy === undefined) return from.fail(`unknown order version ${version}`);
  const body = legacy.read(from);
  const signed = version === 1 ? { proofs: [signature.read(from)] } : proofs.read(from);
  from.expectEnd();
  return buildOrder({
    version,
    chainId: unknownChain,
    matcherFeeAsset: null,
    ...body,
    ...signed,
    eip712Signature: null,
    priceMode: null,
    attachment: null,
  });
}

/** @param chainId of the network, which overrides the order's own @throws WireError */
export function orderOfMessage(order: OrderMessage, chainId: number): Order {
  const pair = order.assetPair ?? { amountAssetId: noKey, priceAssetId: noKey };
  const fee = order.matcherFee ?? { assetId: noKey, amount: 0n };
  const { eip712Signature = null, attachment } = order;
  const priceMode = priceModes[order.priceMode];
  return buildOrder({
    version: (order.version << 24) >> 24,
    chainId,
    sender: eip712Signature === null ? keyOf("senderPublicKey", present("sender", order.senderPublicKey)) : noKey,
    matcher: keyOf("matcherPublicKey", order.matcherPublicKey),
    amountAsset: assetOfBytes("assetPair.amountAssetId", pair.amountAssetId),
    priceAsset: assetOfBytes("assetPair.priceAssetId", pair.priceAssetId),
    side:
      order.orderSide === 0 || order.orderSide === 1 ? sideOf(order.orderSide) : refuseField("orderSide", "unknown"),
    amount: order.amount,
    price: order.price,
    timestamp: order.timestamp,
    expiration: order.expiration,
    matcherFee: fee.amount,
    matcherFeeAsset: assetOfBytes("matcherFee.assetId", fee.assetId),
    proofs: eip712Signature === null ? order.proofs : [],
    eip712Signature,
    priceMode: priceMode === undefined ? refuseField("priceMode", `unknown: ${order.priceMode}`) : priceMode,
    attachment: attachment.length === 0 ? null : attachment,
  });
}

export function messageOfOrder(order: OrderFields): OrderMessage {
  return {
    chainId: (order.chainId << 24) >> 24,
    senderPublicKey: order.eip712Signature === null ? order.sender : undefined,
    matcherPublicKey: order.matcher,
    assetPair: { amountAssetId: assetBytes(order.amountAsset), priceAssetId: assetBytes(order.priceAsset) },
    orderSide: sideNumber(order.side),
    amount: order.amount,
    price: order.price,
    timestamp: order.timestamp,
    expiration: order.expiration,
    matcherFee: amountOf(order.matcherFeeAsset, order.matcherFee),
    version: order.version,
    proofs: order.proofs,
    eip712Signature: order.eip712Signature ?? undefined,
    priceMode: priceModes.indexOf(order.priceMode),
    attachment: order.attachment ?? noKey,
  };
}

/**
 * Signed bytes. Versions without a legacy form sign their message: without proofs, but with an Ethereum wallet's
 * signature.
 */
function orderBody(order: OrderFields): Uint8Array {
  return hasLegacyForm(order)
    ? encode(bodies[order.version as keyof typeof bodies] as Codec<OrderFields>, order)
    : encodeMessage(orderMessage, messageOfOrder({ ...order, proofs: [] }));
}

function orderBytes(order: OrderFields, body: Uint8Array): Uint8Array {
  if (!hasLegacyForm(order)) return encodeMessage(orderMessage, messageOfOrder(order));
  return concatBytes(body, order.version === 1 ? (order.proofs[0] ?? noKey) : encode(proofs, order));
}

function hasLegacyForm({ version }: OrderFields): boolean {
  return version >= 1 && version < firstProtobufVersion;
}

function sideOf(kind: number): OrderSide {
  return kind === 0 ? "buy" : "sell";
}

function sideNumber(which: OrderSide): number {
  return which === "buy" ? 0 : 1;
}

function keyOf(field: string, key: Uint8Array): PublicKey {
  if (key.length !== curve25519KeyBytes && key.length !== ethereumKeyBytes) {
    refuseField(field, `32 or 64 bytes expected, got ${key.length}`);
  }
  return key as PublicKey;
}

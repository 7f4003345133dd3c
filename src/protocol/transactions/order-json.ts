/**
 * Orders as JSON.
 * @source docs/protocol/rest-api.md 3.5; Waves: OrderSerializer.scala (toJson), OrderJson.scala
 */
import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import { addressOfEthereumKey, ETHEREUM_KEY_BYTES } from "../../crypto/ethereum-key.ts";
import { hexText, readHex } from "../../crypto/hex.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { JsonDecimal, type JsonObject, jsonText } from "../json.ts";
import { isJsonObject, type ParsedJson } from "../parse-json.ts";
import { byteStringText } from "./byte-string.ts";
import { malformed } from "./format-error.ts";
import { accountKeyText, assetJson, assetText, pairAssetText } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { limits } from "./limits.ts";
import type { Order, OrderSide, PriceMode } from "./order.ts";
import { buildOrder } from "./order-bytes.ts";

const signatureBytes = 64;

export function orderJson(order: Order): JsonObject {
  const { version, eip712Signature, attachment } = order;
  return {
    version,
    id: encodeBase58(order.id),
    sender: senderText(order),
    senderPublicKey: encodeBase58(order.sender),
    matcherPublicKey: encodeBase58(order.matcher),
    assetPair: { amountAsset: assetJson(order.amountAsset), priceAsset: assetJson(order.priceAsset) },
    orderType: order.side,
    amount: order.amount,
    price: order.price,
    timestamp: order.timestamp,
    expiration: order.expiration,
    matcherFee: order.matcherFee,
    signature: encodeBase58(order.proofs[0] ?? new Uint8Array(0)),
    // Clients recognize the order of an Ethereum wallet by the missing proofs.
    ...(eip712Signature === null ? { proofs: order.proofs.map(encodeBase58) } : {}),
    ...(version >= 3 ? { matcherFeeAssetId: assetJson(order.matcherFeeAsset) } : {}),
    ...(version >= 4
      ? {
          eip712Signature: eip712Signature === null ? null : hexText(eip712Signature),
          priceMode: order.priceMode,
        }
      : {}),
    ...(attachment === null ? {} : { attachment: byteStringText(attachment) }),
  };
}

function senderText({ sender, chainId }: Order): string {
  const isEthereum = sender.length === ETHEREUM_KEY_BYTES;
  return addressText(
    isEthereum ? addressOfEthereumKey(sender, chainId) : addressOfPublicKey(sender as PublicKey, chainId),
  );
}

const exchangeRange = { above: 0n, upTo: limits.exchangeAmount };
const base58Bytes: json.JsonRead<Uint8Array> = (value) => {
  if (typeof value !== "string") return json.refuse("error.expected.jsstring");
  const content = parseBase58(value);
  return content instanceof Uint8Array ? content : json.refuse("error.incorrect.base58");
};
const sideText: json.JsonRead<OrderSide> = json.refined(json.text, (side) => {
  if (side === "buy" || side === "sell") return side;
  throw malformed("Unexpected OrderType");
});
const priceModeText: json.JsonRead<PriceMode | null> = (value) => {
  if (value === null || value === "fixedDecimals" || value === "assetDecimals") return value;
  return typeof value === "string"
    ? json.refuse(`Unexpected order price mode: ${value}`)
    : json.refuse("error.expected.jsstring");
};
const hexBytes: json.JsonRead<Uint8Array> = json.refined(json.text, readHex);

const pairMembers = json.object({
  amountAsset: json.withDefault(pairAssetText, null),
  priceAsset: json.withDefault(pairAssetText, null),
});

const commonMembers = {
  matcherPublicKey: json.required(accountKeyText),
  // A value that is not an object counts as a pair of the native token twice.
  assetPair: json.required((pair) => pairMembers(isJsonObject(pair) ? pair : {})),
  orderType: json.required(sideText),
  amount: json.required(within("amount should be in interval (0; 1000000000000000000]", exchangeRange)),
  price: json.required(within("price should be > 0", { above: 0n, upTo: limits.amount })),
  timestamp: json.required(json.long),
  expiration: json.required(json.long),
  matcherFee: json.required(
    within("matcher fee should be in interval (0; 1000000000000000000)", {
      above: 0n,
      upTo: limits.exchangeAmount - 1n,
    }),
  ),
  signature: json.nullable(base58Bytes),
  proofs: json.nullable(json.list(base58Bytes)),
};
const oldOrder = json.object({
  senderPublicKey: json.required(accountKeyText),
  ...commonMembers,
  version: json.nullable(json.byte),
});
const newOrder = json.object({
  senderPublicKey: json.nullable(accountKeyText),
  ...commonMembers,
  version: json.required(json.byte),
  matcherFeeAssetId: json.nullable(assetText),
  eip712Signature: json.nullable(hexBytes),
  priceMode: json.withDefault(priceModeText, null),
  attachment: json.nullable(json.byteString),
});

/** Order of a request; needs the network's chain id. Throws FormatError for some complaints. */
export const orderRequest: json.JsonRead<(chainId: number) => Order> = (value: ParsedJson) => {
  if (!isJsonObject(value)) return json.refuse(`Order object expected: ${jsonText(value)}`);
  const { version = 1n } = value;
  if (version === 1n || version === 2n) return json.refined(oldOrder, readOldOrder)(value);
  const isNew =
    typeof version === "bigint" ? version >= 3n : version instanceof JsonDecimal && Number(version.text) >= 3;
  return isNew ? json.refined(newOrder, readNewOrder)(value) : json.refuse(`Invalid version: ${jsonText(version)}`);
};

type Read<R> = R extends json.JsonRead<infer Value> ? Value : never;
type CommonOrder = Pick<Read<typeof oldOrder>, Exclude<keyof typeof commonMembers, "signature" | "proofs">>;

function readOldOrder(order: Read<typeof oldOrder>): (chainId: number) => Order {
  const proofs = order.proofs ?? (order.signature === null ? [] : [order.signature]);
  const isFirstVersion = proofs.length === 1 && proofs[0]?.length === signatureBytes;
  return (chainId) =>
    buildOrder({
      ...commonFields(order),
      version: order.version ?? (isFirstVersion ? 1 : 2),
      chainId,
      sender: order.senderPublicKey,
      matcherFeeAsset: null,
      proofs,
      eip712Signature: null,
      priceMode: null,
      attachment: null,
    });
}

function readNewOrder(order: Read<typeof newOrder>): (chainId: number) => Order {
  const { senderPublicKey, eip712Signature } = order;
  if (senderPublicKey === null && eip712Signature === null) {
    throw malformed("Either senderPublicKey or eip712Signature should be provided");
  }
  const proofs = order.proofs ?? (order.signature === null ? [] : [order.signature]);
  return (chainId) =>
    buildOrder({
      ...commonFields(order),
      version: order.version,
      chainId,
      sender: senderPublicKey ?? new Uint8Array(0),
      matcherFeeAsset: order.matcherFeeAssetId,
      proofs: eip712Signature === null ? proofs : [],
      eip712Signature,
      priceMode: order.priceMode,
      attachment: order.attachment,
    });
}

function commonFields(order: CommonOrder) {
  return {
    matcher: order.matcherPublicKey,
    amountAsset: order.assetPair.amountAsset,
    priceAsset: order.assetPair.priceAsset,
    side: order.orderType,
    amount: order.amount,
    price: order.price,
    timestamp: order.timestamp,
    expiration: order.expiration,
    matcherFee: order.matcherFee,
  };
}

function within(complaint: string, { above, upTo }: { above: bigint; upTo: bigint }): json.JsonRead<bigint> {
  return json.refined(json.long, (value) => (value > above && value <= upTo ? value : json.refuse(complaint)));
}

/**
 * Orders signed by an Ethereum wallet: the signed hash (EIP-712), and the key recovered from the signature.
 * @source EIP-712; Waves: transaction/assets/exchange/EthOrders.scala
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import { concatBytes } from "../../crypto/bytes.ts";
import {
  MAX_RECOVERY,
  recoverEthereumKey,
  type UnrecoverableKey,
  unrecoverableText,
  whyUnrecoverable,
  wrongRecoveryText,
} from "../../crypto/ethereum-key.ts";
import { keccak256 } from "../../crypto/hash.ts";
import { utf8Bytes } from "../codec/utf8.ts";
import type { Asset } from "./asset.ts";
import { byteStringText } from "./byte-string.ts";
import type { Order } from "./order.ts";

export type OrderContent = Omit<Order, "id" | "bodyBytes" | "bytes" | "sender" | "proofs" | "eip712Signature">;

const domainType = "EIP712Domain(string name,string version,uint256 chainId)";
const domainName = "Waves Order";
const orderMembers =
  "int32 version,string matcherPublicKey,string amountAsset,string priceAsset,string orderType,int64 amount," +
  "int64 price,int64 timestamp,int64 expiration,int64 matcherFee,string matcherFeeAssetId,string priceMode";
const wordBytes = 32;
/** Sizes of a signature with r and s of 32 bytes, or of 64 bytes each. */
const signatureSizes: readonly number[] = [65, 129];

/** Hash that the wallet signs. Orders with an attachment use version 2 of the typed data. */
export function orderTypedDataHash(order: OrderContent): Uint8Array {
  const { attachment } = order;
  const domain = keccak256(
    concatBytes(
      textHash(domainType),
      textHash(domainName),
      textHash(attachment === null ? "1" : "2"),
      word(BigInt(order.chainId)),
    ),
  );
  const struct = keccak256(
    concatBytes(
      textHash(`Order(${orderMembers}${attachment === null ? "" : ",string attachment"})`),
      word(BigInt(order.version)),
      textHash(encodeBase58(order.matcher)),
      textHash(assetText(order.amountAsset)),
      textHash(assetText(order.priceAsset)),
      textHash(order.side === "buy" ? "BUY" : "SELL"),
      word(order.amount),
      word(order.price),
      word(order.timestamp),
      word(order.expiration),
      word(order.matcherFee),
      textHash(assetText(order.matcherFeeAsset)),
      textHash(priceModeText(order)),
      ...(attachment === null ? [] : [textHash(byteStringText(attachment))]),
    ),
  );
  return keccak256(concatBytes(Uint8Array.of(0x19, 0x01), domain, struct));
}

export function hasSignatureSize(signature: Uint8Array): boolean {
  return signatureSizes.includes(signature.length);
}

/** The wallet's 64-byte key; undefined if no key can have made the signature. */
export function recoverOrderSender(order: OrderContent, signature: Uint8Array): Uint8Array | undefined {
  if (!hasSignatureSize(signature)) return undefined;
  return recoverEthereumKey(orderTypedDataHash(order), signatureParts(signature, order.chainId));
}

/** Reason why no key can have made the signature, in the reference's words. */
export function unrecoverableSenderText(signature: Uint8Array, chainId: number): string {
  const parts = signatureParts(signature, chainId);
  const isInRange = parts.recovery >= 0 && parts.recovery <= MAX_RECOVERY;
  return isInRange ? unrecoverableTexts[whyUnrecoverable(parts)] : wrongRecoveryText;
}

/** Error texts. For `pastField` the reference tries to use the missing key. */
const unrecoverableTexts = {
  ...unrecoverableText,
  pastField: 'Cannot invoke "java.math.BigInteger.toByteArray()" because "value" is null',
} as const satisfies Record<UnrecoverableKey, string>;

function signatureParts(signature: Uint8Array, chainId: number): { r: bigint; s: bigint; recovery: number } {
  const partBytes = (signature.length - 1) / 2;
  return {
    r: bigIntOf(signature.subarray(0, partBytes)),
    s: bigIntOf(signature.subarray(partBytes, -1)),
    recovery: recoveryOf(signature, chainId),
  };
}

/** Recovery number, 0 to 3; another number for an invalid last byte. */
function recoveryOf(signature: Uint8Array, chainId: number): number {
  const v = signature[signature.length - 1] as number;
  if (v < 2) return v;
  // The reference's chain ids are signed bytes.
  return v > 28 ? v - ((chainId << 24) >> 24) * 2 - 35 : v - 27;
}

function priceModeText({ version, priceMode }: OrderContent): string {
  const mode = priceMode ?? (version < 4 ? "assetDecimals" : "fixedDecimals");
  return mode === "assetDecimals" ? "ASSET_DECIMALS" : "FIXED_DECIMALS";
}

function assetText(asset: Asset): string {
  return asset === null ? "WAVES" : encodeBase58(asset);
}

function textHash(text: string): Uint8Array {
  return keccak256(utf8Bytes(text));
}

/** Encodes 32 bytes, negative numbers in two's complement. */
function word(value: bigint): Uint8Array {
  const bytes = new Uint8Array(wordBytes);
  let rest = BigInt.asUintN(wordBytes * 8, value);
  for (let index = wordBytes - 1; rest > 0n; index--) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

function bigIntOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

/**
 * Validation of orders independent of the state.
 * @source Waves: transaction/assets/exchange/Order.scala (isValid)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Asset } from "./asset.ts";
import { check, malformed } from "./format-error.ts";
import { limits } from "./limits.ts";
import type { Order } from "./order.ts";
import { hasSignatureSize, unrecoverableSenderText } from "./order-typed-data.ts";
import { findProofsViolation, proofsText } from "./proofs.ts";

/** @param atMs the exchange's timestamp @throws FormatError orderInvalid, orderSignatureSizeWrong */
export function checkOrder(order: Order, atMs: bigint): void {
  checkAmounts(order);
  const reason = findOrderError(order, atMs);
  check(reason === undefined, () => ({ code: "orderInvalid", order, reason: reason as string }));
  const signature = order.eip712Signature;
  if (signature === null) return;
  check(hasSignatureSize(signature), () => ({ code: "orderSignatureSizeWrong", sizeBytes: signature.length }));
}

/** Checks that the wallet's key could be recovered from its signature. @throws FormatError malformed */
export function checkOrderKey({ sender, eip712Signature, chainId }: Order): void {
  if (sender.length > 0 || eip712Signature === null) return;
  throw malformed(unrecoverableSenderText(eip712Signature, chainId));
}

function checkAmounts({ amount, price, matcherFee }: Order): void {
  const max = limits.exchangeAmount;
  if (amount <= 0n || amount > max) throw malformed(`amount should be in interval (0; ${max}]`);
  if (price <= 0n) throw malformed("price should be > 0");
  if (matcherFee <= 0n || matcherFee >= max) throw malformed(`matcher fee should be in interval (0; ${max})`);
}

function findOrderError(order: Order, atMs: bigint): string | undefined {
  const { version, timestamp, expiration, eip712Signature, priceMode, attachment } = order;
  if (equalAssets(order.amountAsset, order.priceAsset)) return "Invalid AssetPair";
  if (timestamp <= 0n) return "timestamp should be > 0";
  if (BigInt.asIntN(64, expiration - atMs) > limits.orderLifetimeMs) return "expiration should be earlier than 30 days";
  if (expiration < atMs) return "expiration should be > currentTime";
  if (order.matcherFeeAsset !== null && version < 3) return "matcherFeeAssetId should be waves";
  if (version < 1 || version > 4) return "invalid version";
  if (eip712Signature !== null && version < 4) return "eip712Signature available only in V4";
  if (eip712Signature !== null && !hasSignatureSize(eip712Signature)) return undefined;
  if (version < 4 && priceMode !== null) return `price mode should be default for V${version}`;
  const proofsViolation = eip712Signature === null ? findProofsViolation(order.proofs) : undefined;
  if (proofsViolation !== undefined) return proofsText(proofsViolation);
  if (attachment === null) return undefined;
  if (version < 4) return "non-empty attachment field is allowed only for version >= V4";
  const maxBytes = limits.orderAttachmentBytes;
  if (attachment.length > maxBytes) return `attachment size should be <= ${maxBytes} bytes`;
  return attachment.length === 0 ? "attachment size should be > 0" : undefined;
}

export function equalAssets(left: Asset, right: Asset): boolean {
  return left === null || right === null ? left === right : equalBytes(left, right);
}

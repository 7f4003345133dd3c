/**
 * Checks of form that several types share. Each throws FormatError.
 * @source Waves: transaction/validation/TxConstraints.scala
 */
import type { AmountOf } from "./format-error.ts";
import { check } from "./format-error.ts";
import { limits } from "./limits.ts";

export function checkFee(fee: bigint): void {
  check(fee > 0n, () => ({ code: "insufficientFee", fee }));
}

export function checkPositive(amount: bigint, of: AmountOf): void {
  check(amount > 0n, () => ({ code: "nonPositiveAmount", amount, of }));
}

export function checkNotNegative(amount: bigint, of: AmountOf): void {
  check(amount >= 0n, () => ({ code: "negativeAmount", amount, of }));
}

/** Checks that the sum stays within 64 bits at every step. */
export function checkNoOverflow(...amounts: readonly bigint[]): void {
  let sum = 0n;
  for (const amount of amounts) {
    sum += amount;
    check(sum <= limits.amount, () => ({ code: "amountsOverflow" }));
  }
}

export function checkAttachment(attachment: Uint8Array): void {
  const sizeBytes = attachment.length;
  const maxBytes = limits.attachmentBytes;
  check(sizeBytes <= maxBytes, () => ({ code: "attachmentTooBig", sizeBytes, maxBytes }));
}

/** Checks that an address or alias belongs to the transaction's chain. */
export function checkSameChain(recipientChain: number, chainId: number): void {
  check(recipientChain === chainId, () => ({
    code: "malformed",
    message: "Address or alias from other network",
  }));
}

export function checkAssetName(name: Uint8Array): void {
  const sizeBytes = name.length;
  const { assetNameMinBytes: minBytes, assetNameMaxBytes: maxBytes } = limits;
  check(sizeBytes >= minBytes && sizeBytes <= maxBytes, () => ({ code: "invalidName", sizeBytes, minBytes, maxBytes }));
}

export function checkAssetDescription(description: Uint8Array): void {
  const size = description.length;
  const max = limits.assetDescriptionBytes;
  check(size <= max, () => ({ code: "tooBigArray", what: "description", size, max }));
}

/** Checks the size of a byte string whose length legacy forms write as a signed 16-bit number. */
export function checkShortLength(size: number): void {
  const max = limits.dataValueBytes;
  check(size <= max, () => ({
    code: "malformed",
    message: `Attempting to serialize array with size, but the size(${size}) exceeds MaxShort(${max})`,
  }));
}

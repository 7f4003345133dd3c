/** Edge cases of a valid order: the last value that passes and the first that does not. */

import { expect, test } from "vitest";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { formatErrorContent } from "../../../src/protocol/transactions/format-error-content.ts";
import type { Order } from "../../../src/protocol/transactions/order.ts";
import { checkOrder, checkOrderKey } from "../../../src/protocol/transactions/order-checks.ts";
import { assetId, sampleOrder } from "../../support/builders/sample-transactions.ts";

const atMs = 1_700_000_000_000n;
const monthMs = 30n * 86_400_000n;
const signature = (last: number): Uint8Array => new Uint8Array(65).fill(last, 64);

/** Error text for the order; undefined if it is valid. */
function refusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return formatErrorContent(error.violation).message;
  }
}
const violationOf = (changes: Partial<Order>) => refusal(() => checkOrder(sampleOrder(changes), atMs));
const invalid = (reason: string) => `Order validation error: ${reason}`;

test("amount, price and matcher fee are above zero, amount and fee up to 10^18: the amount may be it, the fee not", () => {
  const amountRange = "amount should be in interval (0; 1000000000000000000]";
  const feeRange = "matcher fee should be in interval (0; 1000000000000000000)";
  expect([0n, 1n, 10n ** 18n, 10n ** 18n + 1n].map((amount) => violationOf({ amount }))).toEqual([
    amountRange,
    undefined,
    undefined,
    amountRange,
  ]);
  expect([0n, 1n, 10n ** 18n + 1n].map((price) => violationOf({ price }))).toEqual([
    "price should be > 0",
    undefined,
    undefined,
  ]);
  expect([0n, 1n, 10n ** 18n - 1n, 10n ** 18n].map((matcherFee) => violationOf({ matcherFee }))).toEqual([
    feeRange,
    undefined,
    undefined,
    feeRange,
  ]);
});

test("an order is made after 1970, and expires between the exchange's time and 30 days later, both included", () => {
  expect([0n, 1n].map((timestamp) => violationOf({ timestamp }))).toEqual([
    invalid("timestamp should be > 0"),
    undefined,
  ]);
  const expirations = [atMs - 1n, atMs, atMs + monthMs, atMs + monthMs + 1n];
  expect(expirations.map((expiration) => violationOf({ expiration }))).toEqual([
    invalid("expiration should be > currentTime"),
    undefined,
    undefined,
    invalid("expiration should be earlier than 30 days"),
  ]);
});

test("the time until an order expires is a number of 64 bits: long before the exchange is far behind it", () => {
  expect(violationOf({ expiration: -(2n ** 63n) })).toBe(invalid("expiration should be earlier than 30 days"));
});

test("versions are 1 to 4", () => {
  expect([0, 1, 4, 5].map((version) => violationOf({ version }))).toEqual([
    invalid("invalid version"),
    undefined,
    undefined,
    invalid("invalid version"),
  ]);
});

test("a matcher fee in an asset comes with version 3; a price mode, a wallet's signature and an attachment with 4", () => {
  const matcherFeeAsset = assetId(3);
  expect([2, 3].map((version) => violationOf({ version, matcherFeeAsset }))).toEqual([
    invalid("matcherFeeAssetId should be waves"),
    undefined,
  ]);
  expect([3, 4].map((version) => violationOf({ version, priceMode: "fixedDecimals" }))).toEqual([
    invalid("price mode should be default for V3"),
    undefined,
  ]);
  expect([3, 4].map((version) => violationOf({ version, eip712Signature: signature(0) }))).toEqual([
    invalid("eip712Signature available only in V4"),
    undefined,
  ]);
  expect([3, 4].map((version) => violationOf({ version, attachment: Uint8Array.of(1) }))).toEqual([
    invalid("non-empty attachment field is allowed only for version >= V4"),
    undefined,
  ]);
});

test("an attachment has 1 to 1024 bytes", () => {
  expect([0, 1, 1024, 1025].map((size) => violationOf({ attachment: new Uint8Array(size) }))).toEqual([
    invalid("attachment size should be > 0"),
    undefined,
    undefined,
    invalid("attachment size should be <= 1024 bytes"),
  ]);
});

test("proofs count where no wallet has signed", () => {
  const proofs = Array.from({ length: 9 }, () => new Uint8Array(1));
  expect(violationOf({ proofs })).toBe(invalid("Too many proofs (9), only 8 allowed"));
  expect(violationOf({ proofs, eip712Signature: signature(0) })).toBeUndefined();
});

test("a wallet's signature has 65 or 129 bytes; other sizes come before what is wrong with the attachment", () => {
  const sizes = [64, 65, 66, 129, 130];
  const attachment = new Uint8Array(0);
  expect(sizes.map((size) => violationOf({ eip712Signature: new Uint8Array(size) }))).toEqual([
    "Unexpected signature length: 64",
    undefined,
    "Unexpected signature length: 66",
    undefined,
    "Unexpected signature length: 130",
  ]);
  expect(violationOf({ eip712Signature: new Uint8Array(64), attachment })).toBe("Unexpected signature length: 64");
  expect(violationOf({ eip712Signature: new Uint8Array(65), attachment })).toBe(
    invalid("attachment size should be > 0"),
  );
});

test("the assets of a pair are two", () => {
  const pair = (amountAsset: Order["amountAsset"], priceAsset: Order["priceAsset"]) =>
    violationOf({ amountAsset, priceAsset });
  expect(pair(null, null)).toBe(invalid("Invalid AssetPair"));
  expect(pair(assetId(1), assetId(1))).toBe(invalid("Invalid AssetPair"));
  expect([pair(null, assetId(1)), pair(assetId(1), null), pair(assetId(1), assetId(2))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("the key of a wallet follows from its signature: the last byte says which of four, and it must be one", () => {
  const noPoint = "Invalid point compression";
  const outside = "recId must be in the range of [0, 3]";
  // Values for chain 82: 0, 1; 27, 28 with the same meaning; from 199 on as in EIP-155.
  const keyless = (last: number) =>
    refusal(() => checkOrderKey(sampleOrder({ sender: new Uint8Array(0), eip712Signature: signature(last) })));
  expect([0, 1, 27, 28, 199].map(keyless)).toEqual(Array(5).fill(noPoint));
  expect(keyless(202)).toBe("BigInteger not invertible.");
  expect([2, 26, 29, 198, 203, 255].map(keyless)).toEqual(Array(6).fill(outside));
  const unusable = (r: number) => {
    const eip712Signature = new Uint8Array(65).fill(r, 0, 32);
    return refusal(() => checkOrderKey(sampleOrder({ sender: new Uint8Array(0), eip712Signature })));
  };
  expect(unusable(5)).toBe(noPoint);
  expect(unusable(255)).toBe('Cannot invoke "java.math.BigInteger.toByteArray()" because "value" is null');
  const known = sampleOrder({ sender: new Uint8Array(64), eip712Signature: signature(2) });
  expect(refusal(() => checkOrderKey(known))).toBeUndefined();
  expect(refusal(() => checkOrderKey(sampleOrder()))).toBeUndefined();
  // A signature that no wallet made gives no key.
  expect(refusal(() => checkOrderKey(sampleOrder({ sender: new Uint8Array(0) })))).toBeUndefined();
});

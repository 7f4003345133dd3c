/** Errors with the reference's texts. @see Waves: api/http/ApiError.scala, state/diffs/* */

import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../src/crypto/identities.ts";
import { describeBalanceProblem, describeViolation } from "../../src/protocol/describe-violation.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import type { Order, OrderId } from "../../src/protocol/transactions/order.ts";
import type { LeaseId, TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { BalanceProblem, TransactionViolation } from "../../src/protocol/transactions/transaction-violation.ts";

const bytes = (fill: number, size = 32) => new Uint8Array(size).fill(fill);
const asset = bytes(1) as AssetId;
const assetText = encodeBase58(asset);
const account = bytes(2, 26) as Address;
const accountText = encodeBase58(account);

const order: Order = {
  version: 3,
  id: bytes(3) as OrderId,
  bodyBytes: bytes(0),
  bytes: bytes(0),
  chainId: 82,
  sender: bytes(4) as PublicKey,
  matcher: bytes(5) as PublicKey,
  amountAsset: asset,
  priceAsset: null,
  side: "buy",
  amount: 1n,
  price: 2n,
  timestamp: 3n,
  expiration: 4n,
  matcherFee: 5n,
  matcherFeeAsset: null,
  proofs: [Uint8Array.of(1), Uint8Array.of(2)],
  eip712Signature: null,
  priceMode: null,
  attachment: null,
};

const fee = {
  code: "feeTooLow",
  type: TransactionType.Transfer,
  fee: 1n,
  scriptedAssets: 0,
  scriptedSender: false,
} as const;

describe("describeFault", () => {
  const cases: readonly (readonly [TransactionViolation, string])[] = [
    [
      { ...fee, feeAsset: null, required: 100_000n, requiredWavelets: 100_000n },
      "Fee for TransferTransaction (1 in WAVES) does not exceed minimal value of 100000 WAVES.",
    ],
    [
      { ...fee, feeAsset: asset, required: 50n, requiredWavelets: 100_000n },
      `Fee for TransferTransaction (1 in ${assetText}) does not exceed minimal value of 100000 WAVES or 50 ${assetText}.`,
    ],
    [
      { ...fee, feeAsset: null, required: 1n, requiredWavelets: 1_300_000n, scriptedAssets: 2, scriptedSender: true },
      "Transaction sent from smart account. Requires 400000 extra fee. Transaction involves 2 scripted assets. " +
        "Requires 800000 extra fee. Fee for TransferTransaction (1 in WAVES) does not exceed minimal value of 1300000 WAVES.",
    ],
    [
      { code: "fundsMissing", asset: null, balance: 5n, change: -7n },
      "Attempt to transfer unavailable funds: Transaction application leads to negative waves balance to (at least) " +
        "temporary negative state, current balance equals 5, spends equals -7, result is -2",
    ],
    [
      { code: "fundsMissing", asset, balance: 5n, change: -7n },
      `Attempt to transfer unavailable funds: Transaction application leads to negative asset '${assetText}' balance to ` +
        "(at least) temporary negative state, current balance is 5, spends equals -7, result is -2",
    ],
    [
      { code: "transactionOfOtherNetwork", expected: 82, got: 87 },
      "Address belongs to another network: expected: 82(R), actual: 87(W)",
    ],
    [
      { code: "transactionOfOtherNetwork", expected: 82, got: 238 },
      "Address belongs to another network: expected: 82(R), actual: -18(\uffee)",
    ],
    [
      { code: "timestampFromFuture", timestamp: 9n, limitMs: 5n, blockTimestamp: 3n },
      "Transaction timestamp 9 is more than 5ms in the future relative to block timestamp 3",
    ],
    [
      { code: "timestampFromPast", timestamp: 1n, limitMs: 5n, previousBlockTimestamp: 9n },
      "Transaction timestamp 1 is more than 5ms in the past relative to previous block timestamp Some(9)",
    ],
    [{ code: "featureNotActive", feature: 11 }, "ActivationError(RIDE 4 DAPPS feature has not been activated yet)"],
    [
      { code: "alreadyInState", transactionId: bytes(7) as TransactionId, height: 10 },
      `Transaction ${encodeBase58(bytes(7))} is already in the state on a height of 10`,
    ],
    [{ code: "aliasUnknown", alias: { chainId: 82, name: "missing" } }, "alias 'alias:R:missing' doesn't exist"],
    [{ code: "leaseUnknown", leaseId: bytes(8) as LeaseId }, `Lease with id=${encodeBase58(bytes(8))} not found`],
    [
      { code: "leaseExceedsBalance", balance: 7n, leased: 3n, required: 5n },
      "Cannot lease more than own: Balance: 7, already leased: 3",
    ],
    [
      { code: "sumOverflow", quantity: "Waves balance", account: undefined, stage: "change" },
      "Waves balance sum overflow",
    ],
    [{ code: "sumOverflow", quantity: "Lease in", account, stage: "change" }, `${accountText}: Lease in sum overflow`],
    [
      { code: "sumOverflow", quantity: asset, account, stage: "change" },
      `${accountText}: asset ${assetText} sum overflow`,
    ],
    [
      { code: "sumOverflow", quantity: "Asset balance", account, stage: "balance" },
      `${accountText} -> Asset balance sum overflow`,
    ],
    [
      {
        code: "exchangePriceOutOfOrder",
        side: "buy",
        price: 100_000_000n,
        orderPrice: 50_000_000n,
        convertedOrderPrice: 50_000_000n,
      },
      "exchange.price = 100_000_000 should be <= buyOrder.price = 50_000_000",
    ],
    [
      {
        code: "exchangePriceOutOfOrder",
        side: "sell",
        price: 100n,
        orderPrice: 1_200_000n,
        convertedOrderPrice: 1200n,
      },
      "exchange.price = 100 should be >= sellOrder.price = 1_200 (assetDecimals price = 1_200_000)",
    ],
    [
      { code: "orderOverfilled", order, filled: 4n, amount: 1n },
      "Order validation error: Too much buy. Already filled volume for the order: 4",
    ],
    [
      { code: "orderProofInvalid", order },
      `Proof doesn't validate as signature for OrderV3(id=${encodeBase58(bytes(3))}, sender=${encodeBase58(bytes(4))}, ` +
        `matcher=${encodeBase58(bytes(5))}, pair=${assetText}-WAVES, type=buy, amount=1, price=2, priceMode=Default, ts=3, ` +
        "exp=4, fee=5, matcherFeeAssetId=Waves,, eip712Signature=None, proofs=Proofs(2, 3))",
    ],
    [
      { code: "scriptNotSupported", reason: "invoke (1020) is not supported" },
      "Internal error: this node cannot run the script: invoke (1020) is not supported",
    ],
  ];

  it.each(cases)("words %o", (violation, text) => {
    expect(describeViolation(violation)).toEqual(text);
  });

  it("names heights and limits of blocks", () => {
    expect(describeViolation({ code: "baseTargetWrong", expected: 5n, got: 6n })).toBe(
      "Base target is 6, by its parents it must be 5",
    );
    expect(describeViolation({ code: "rollbackTooDeep", height: 3, lowestHeight: 9 })).toContain("9");
  });
});

describe("describeBalanceProblem", () => {
  const lease = { in: 1n, out: 2n };
  const before = { balance: 5n, lease: { in: 0n, out: 0n } };
  const after = { balance: 3n, lease };
  const locked = {
    before: { balance: 7n, lease: { in: 9n, out: 0n }, deposit: 5n },
    after: { balance: 4n, lease: { in: 9n, out: 3n }, deposit: 5n },
  };
  const cases: readonly (readonly [BalanceProblem, string | RegExp])[] = [
    [
      { kind: "negativeWaves", account, before: 0n, after: -100_000n },
      `negative waves balance: ${accountText}, old: 0, new: -100000`,
    ],
    [{ kind: "leasedMoneySpent", account }, `${accountText} trying to spend leased money`],
    [{ kind: "wavesOverspent", account, before: 5n, after: -1n }, "negative waves balance: before=5, after=-1"],
    [
      { kind: "lockedMoneySpent", account, reason: "depositSpent", ...locked },
      "trying to spend a deposit, before: spendable=2, waves=7, deposit=5, after: spendable=-4, waves=4, lease=3, deposit=5",
    ],
    [
      { kind: "lockedMoneySpent", account, reason: "depositMissing", ...locked },
      /^not enough funds for deposit, before: /,
    ],
    [
      { kind: "lockedMoneySpent", account, reason: "negativeEffective", ...locked },
      /^negative effective balance, before: /,
    ],
    [{ kind: "lockedMoneySpent", account, reason: "leaseSpent", ...locked }, /^trying to spend leased money, before: /],
    [
      { kind: "lockedMoneySpent", account, reason: "leasedMoreThanOwned", ...locked },
      /^leased being more than own, before: /,
    ],
    [
      { kind: "lockedMoneySpent", account, reason: "depositOrLeaseSpent", ...locked },
      /^trying to spend either a deposit or leased money, before: /,
    ],
    [
      { kind: "negativeEffective", account, before, after },
      `negative effective balance: ${accountText}, old: (5,LeaseBalance(0,0)), new: (3,LeaseBalance(1,2))`,
    ],
    [
      { kind: "leasedMoreThanOwned", account, before, after },
      `leased being more than own: ${accountText}, old: (5,LeaseBalance(0,0)), new: (3,LeaseBalance(1,2))`,
    ],
    [
      { kind: "negativeAssets", account, balances: [{ asset, balance: -1n }] },
      `negative asset balance: ${accountText}, new portfolio: VectorMap(${assetText} -> -1)`,
    ],
  ];

  it.each(cases)("words %o", (problem, text) => {
    expect(describeBalanceProblem(problem)).toEqual(text instanceof RegExp ? expect.stringMatching(text) : text);
  });
});

/** @see Waves: state/diffs/TransactionDiffer.scala (validateFunds, feePortfolios) */
import { describe, expect, it } from "vitest";
import { Feature } from "../../../../src/network/features.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { checkFeeFunds, feePortfolios } from "../../../../src/rules/transactions/checks/fee-funds.ts";
import {
  addresses,
  assetId,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
  to,
  violationOf,
} from "../../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const { alice, bob, matcher } = addresses;
const asset = assetId(1);
const check = (transaction: Parameters<typeof checkFeeFunds>[0], view: InMemoryState) => () =>
  checkFeeFunds(transaction, view);

describe("the fee", () => {
  const transfer = sample(TransactionType.Transfer);

  it("must be available from feature 15 on, even if it is all that the account has", () => {
    const withWaves = (waves: bigint, options: StateOptions = {}) =>
      new InMemoryState(options).withBalance(alice, waves);
    expect(check(transfer, withWaves(100_000n))).not.toThrow();
    expect(violationOf(check(transfer, withWaves(99_999n)))).toMatchObject({
      problems: [{ kind: "wavesOverspent", account: alice, before: 99_999n, after: -1n }],
    });
    const before = { features: new Map([[Feature.BlockV5 as number, 101]]) };
    expect(check(transfer, withWaves(0n, before))).not.toThrow();
    expect(violationOf(check(transfer, withWaves(0n, before).moveTo(101))).code).toBe("balancesInvalid");
  });

  it("of the end of a lease may be paid with the released amount", () => {
    const cancel = sample(TransactionType.LeaseCancel);
    expect(check(cancel, new InMemoryState())).not.toThrow();
  });

  it("of a grant is none", () => {
    expect(feePortfolios(sample(TransactionType.Genesis), new InMemoryState())).toEqual(new Map());
  });
});

describe("an exchange", () => {
  const market = (options: StateOptions = {}) =>
    new InMemoryState(options)
      .withAsset(asset, { issuer: keys.bob })
      .withBalance(matcher, 300_000n)
      .withBalance(alice, 300_500n)
      .withBalance(bob, 300_000n)
      .withBalance(bob, 1000n, asset);
  const exchange = sample(TransactionType.Exchange);

  it("is paid for by the owners of its orders, each with the matcher fee", () => {
    expect(check(exchange, market())).not.toThrow();
    for (const owner of [alice, bob]) {
      const view = market().withBalance(owner, 299_999n);
      expect(violationOf(check(exchange, view))).toMatchObject({
        problems: [{ kind: "wavesOverspent", account: owner, before: 299_999n, after: -1n }],
      });
    }
  });

  it("takes matcher fees in assets that exist", () => {
    const feeAsset = assetId(2);
    const paidBy = (side: "buy" | "sell") => {
      const named = { matcherFeeAsset: feeAsset };
      return sample(TransactionType.Exchange, {
        order1: sampleOrder(side === "buy" ? named : {}),
        order2: sampleSellOrder(side === "sell" ? named : {}),
      });
    };
    for (const [side, owner] of [
      ["buy", alice],
      ["sell", bob],
    ] as const) {
      expect(violationOf(check(paidBy(side), market()))).toEqual({ code: "matcherFeeAssetUnknown", asset: feeAsset });
      const known = market().withAsset(feeAsset, { issuer: keys.carol });
      expect(violationOf(check(paidBy(side), known))).toMatchObject({
        problems: [{ kind: "negativeAssets", account: owner }],
      });
      expect(check(paidBy(side), known.withBalance(owner, 300_000n, feeAsset))).not.toThrow();
    }
  });

  it("is checked as a whole from the height at which sums no longer overflow", () => {
    const poor = (height: number) =>
      market({ functionality: { estimatorSumOverflowFixHeight: height } }).withBalance(alice, 300_499n);
    // The matcher fee is available, the price on top of it is not.
    expect(check(exchange, poor(101))).not.toThrow();
    expect(violationOf(check(exchange, poor(100)))).toMatchObject({
      problems: [{ kind: "wavesOverspent", account: alice, before: 300_499n, after: -1n }],
    });
  });
});

describe("the payments of a call", () => {
  const call = (amounts: readonly bigint[], fields = {}) =>
    sample(TransactionType.InvokeScript, { payments: amounts.map((amount) => ({ amount, asset })), ...fields });
  const caller = () =>
    new InMemoryState()
      .withAsset(asset, { issuer: keys.bob })
      .withBalance(alice, 500_000n)
      .withBalance(alice, 10n, asset);

  it("must be available in total", () => {
    expect(check(call([6n, 4n]), caller())).not.toThrow();
    expect(violationOf(check(call([6n, 5n]), caller()))).toMatchObject({
      problems: [{ kind: "negativeAssets", account: alice, balances: [{ asset, balance: -1n }] }],
    });
    expect(check(call([]), caller())).not.toThrow();
  });

  it("to the caller's own dApp return to it", () => {
    expect(check(call([11n], { dApp: to(alice) }), caller())).not.toThrow();
  });

  it("are of assets that exist", () => {
    const unknown = assetId(77);
    const payments = [{ amount: 1n, asset: unknown }];
    expect(violationOf(check(sample(TransactionType.InvokeScript, { payments }), caller()))).toEqual({
      code: "paymentAssetUnknown",
      asset: unknown,
    });
    const inWaves = sample(TransactionType.InvokeScript, { payments: [{ amount: 1n, asset: null }] });
    expect(check(inWaves, caller())).not.toThrow();
  });
});

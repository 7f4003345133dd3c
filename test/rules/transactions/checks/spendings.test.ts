/** @see Waves: state/diffs/CommonValidation.scala (disallowSendingGreaterThanBalance) */
import { describe, expect, it, test } from "vitest";
import { Feature } from "../../../../src/network/features.ts";
import type { Script, Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { paidAssets } from "../../../../src/rules/transactions/checks/payments.ts";
import { checkSpendings } from "../../../../src/rules/transactions/checks/spendings.ts";
import {
  addresses,
  assetId,
  context,
  keys,
  now,
  sample,
  violationOf,
} from "../../../support/builders/sample-transactions.ts";
import { constantScript, treeDApp } from "../../../support/builders/test-scripts.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const { alice } = addresses;
const [asset, feeAsset] = [assetId(1), assetId(2)] as const;
const spend = (transaction: Transaction, view: InMemoryState) => () => checkSpendings(transaction, view, context);
const withWaves = (waves: bigint, options: StateOptions = {}) => new InMemoryState(options).withBalance(alice, waves);

describe("the whole balance of an account", () => {
  it("may be spent", () => {
    expect(spend(sample(TransactionType.Transfer), withWaves(100_010n))).not.toThrow();
    expect(violationOf(spend(sample(TransactionType.Transfer), withWaves(100_009n))).code).toBe("fundsMissing");
    expect(spend(sample(TransactionType.MassTransfer), withWaves(200_030n))).not.toThrow();
    expect(spend(sample(TransactionType.Payment), withWaves(100_010n))).not.toThrow();
    expect(violationOf(spend(sample(TransactionType.Payment), withWaves(100_009n))).code).toBe("paymentFundsMissing");
  });

  it("of an asset may be spent, with the fee in another one", () => {
    const transfer = sample(TransactionType.Transfer, { asset, feeAsset, fee: 7n });
    const view = (amount: bigint, fee: bigint) =>
      new InMemoryState()
        .withAsset(asset, { issuer: keys.bob })
        .withBalance(alice, amount, asset)
        .withBalance(alice, fee, feeAsset);
    expect(spend(transfer, view(10n, 7n))).not.toThrow();
    expect(violationOf(spend(transfer, view(9n, 7n)))).toMatchObject({ asset, balance: 9n, change: -10n });
    expect(violationOf(spend(transfer, view(10n, 6n)))).toMatchObject({ asset: feeAsset, balance: 6n, change: -7n });
  });

  it("does not count if nothing of it is spent: an old debt may coexist with a transfer of nothing", () => {
    const nothing = sample(TransactionType.MassTransfer, { asset, transfers: [] });
    const view = withWaves(200_000n).withAsset(asset, { issuer: keys.bob }).withBalance(alice, -1n, asset);
    expect(spend(nothing, view)).not.toThrow();
  });
});

test("the remaining balance is a number of 64 bits, too", () => {
  const transfer = sample(TransactionType.Transfer, { amount: 2n ** 63n - 1n - 100_000n });
  expect(violationOf(spend(transfer, withWaves(-5n)))).toEqual({
    code: "sumOverflow",
    quantity: "Spendings",
    account: undefined,
    stage: "change",
  });
});

describe("the last time-based fork", () => {
  it("is the first block whose spendings are checked", () => {
    const until = (time: bigint) => withWaves(0n, { functionality: { lastTimeBasedForkParameter: time } });
    expect(spend(sample(TransactionType.Transfer), until(now + 1n))).not.toThrow();
    expect(violationOf(spend(sample(TransactionType.Transfer), until(now))).code).toBe("fundsMissing");
  });
});

describe("a missing balance", () => {
  it("is of an asset that was never issued, from feature 16 on", () => {
    const transfer = sample(TransactionType.Transfer, { asset });
    const before = withWaves(100_000n, { features: new Map([[Feature.SmartAccounts as number, 0]]) });
    expect(spend(transfer, before.withBalance(alice, 10n, asset))).not.toThrow();
    expect(violationOf(spend(transfer, withWaves(100_000n).withBalance(alice, 10n, asset)))).toEqual({
      code: "transferAssetUnknown",
      asset,
    });
  });

  it("is checked in no other type of transaction", () => {
    for (const type of [TransactionType.Lease, TransactionType.Issue, TransactionType.Burn] as const) {
      expect(spend(sample(type), withWaves(0n))).not.toThrow();
    }
  });
});

describe("a call", () => {
  const inWaves = (amount: bigint) =>
    sample(TransactionType.InvokeScript, { payments: [{ amount, asset: null }], fee: 500_000n });
  const caller = (waves: bigint, script: Script | undefined, options: StateOptions = {}) => {
    const view = withWaves(waves, options);
    return script === undefined ? view : view.withAccountScript(keys.bob, 0n, script);
  };

  it("of a dApp of version 4 on may leave the fee to the dApp, if the payment is available", () => {
    for (const script of [treeDApp({}, 4), treeDApp({}, 6)]) {
      expect(spend(inWaves(10n), caller(10n, script))).not.toThrow();
      expect(violationOf(spend(inWaves(10n), caller(9n, script)))).toEqual({
        code: "fundsMissing",
        asset: null,
        balance: 9n,
        change: -500_010n,
      });
    }
  });

  it("of any other script must have both", () => {
    for (const script of [treeDApp({}, 3), constantScript(true, 6), undefined]) {
      expect(violationOf(spend(inWaves(10n), caller(500_009n, script))).code).toBe("fundsMissing");
      expect(spend(inWaves(10n), caller(500_010n, script))).not.toThrow();
    }
    const features = new Map([[Feature.Ride4DApps as number, 0]]);
    expect(violationOf(spend(inWaves(10n), caller(10n, treeDApp({}, 4), { features }))).code).toBe("fundsMissing");
  });

  it("that pays in an asset may leave the fee to the dApp as well, though not with a debt", () => {
    const call = sample(TransactionType.InvokeScript, { payments: [{ amount: 5n, asset }] });
    const view = (waves: bigint) =>
      caller(waves, treeDApp({}, 4)).withAsset(asset, { issuer: keys.bob }).withBalance(alice, 5n, asset);
    expect(spend(call, view(0n))).not.toThrow();
    expect(violationOf(spend(call, view(-1n))).code).toBe("fundsMissing");
  });

  it("is checked by sums as soon as feature 15 is decided, though not yet in force", () => {
    const payments = [6n, 5n].map((amount) => ({ amount, asset }));
    const call = sample(TransactionType.InvokeScript, { payments });
    const view = (features: ReadonlyMap<number, number>) =>
      caller(1_000_000n, undefined, { features }).withBalance(alice, 10n, asset);
    expect(spend(call, view(new Map()))).not.toThrow();
    expect(violationOf(spend(call, view(new Map([[Feature.BlockV5 as number, 1000]])))).code).toBe("fundsMissing");
  });

  it("gets the error of an unknown asset before that of an insufficient one", () => {
    const [known, unknown] = [assetId(77), assetId(1)];
    const payments = [known, unknown].map((paid) => ({ amount: 5n, asset: paid }));
    expect(paidAssets(payments)[0]?.asset).toEqual(known);
    const view = caller(1_000_000n, undefined).withAsset(known, { issuer: keys.bob });
    expect(violationOf(spend(sample(TransactionType.InvokeScript, { payments }), view))).toEqual({
      code: "transferAssetUnknown",
      asset: unknown,
    });
  });

  it("of an alias is one of its owner's dApp, and of none without an owner", () => {
    const dApp = { kind: "alias", alias: { chainId: 82, name: "bobs" } } as const;
    const call = sample(TransactionType.InvokeScript, { dApp });
    expect(violationOf(spend(call, caller(500_000n, undefined))).code).toBe("aliasUnknown");
  });
});

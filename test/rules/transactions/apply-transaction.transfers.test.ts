/**
 * Genesis, payment, transfer, mass transfer.
 * @see Waves: state/diffs/{TransferDiff,MassTransferTransactionDiff,…}.scala
 */

import { describe, expect, it } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import {
  addresses,
  assetId,
  context,
  keys,
  now,
  sample,
  to,
  toAlias,
  violationOf,
} from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const { alice, bob, carol } = addresses;
const asset = assetId(1);
/** Alice has one WAVES, and 500 of Bob's asset, whose fees Bob sponsors at 50 to a fee unit. */
const rich = (options: StateOptions = {}): InMemoryState =>
  new InMemoryState(options)
    .withBalance(alice, 100_000_000n)
    .withBalance(bob, 1_000_000n)
    .withAsset(asset, { issuer: keys.bob, minSponsoredAssetFee: 50n })
    .withBalance(alice, 500n, asset);

describe("genesis", () => {
  it("gives its amount to the recipient, on top of earlier grants", () => {
    const state = new InMemoryState({ height: 1 }).withBalance(alice, 3n);
    const { snapshot, status, spentComplexity } = applyTransaction(
      sample(TransactionType.Genesis, { amount: 4n }),
      state,
      {
        ...context,
        previousBlockTimestamp: undefined,
      },
    );
    expect(snapshot).toEqual({ balances: [{ address: alice, asset: null, balance: 7n }] });
    expect([status, spentComplexity]).toEqual(["succeeded", 0n]);
  });

  it("is allowed only in the first block", () => {
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Genesis), new InMemoryState({ height: 2 }), context)),
    ).toEqual({
      code: "genesisNotFirst",
      height: 2,
    });
  });
});

describe("payment", () => {
  const early: StateOptions = { height: 10, features: new Map(), functionality: { blockVersion3AfterHeight: 10 } };

  it("moves WAVES and takes the fee", () => {
    expect(applyTransaction(sample(TransactionType.Payment), rich(early), context).snapshot).toEqual({
      balances: [
        { address: bob, asset: null, balance: 1_000_010n },
        { address: alice, asset: null, balance: 99_899_990n },
      ],
    });
  });

  it("ends with block version 3", () => {
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Payment), rich(early).moveTo(11), context)),
    ).toEqual({
      code: "paymentNotAllowed",
      height: 11,
      lastHeight: 10,
    });
  });
});

describe("transfer", () => {
  it("moves WAVES and takes the fee", () => {
    expect(applyTransaction(sample(TransactionType.Transfer), rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset: null, balance: 99_899_990n },
        { address: bob, asset: null, balance: 1_000_010n },
      ],
    });
  });

  it("to oneself changes nothing but the fee", () => {
    expect(
      applyTransaction(sample(TransactionType.Transfer, { recipient: to(alice) }), rich(), context).snapshot,
    ).toEqual({
      balances: [{ address: alice, asset: null, balance: 99_900_000n }],
    });
  });

  it("moves an asset to the owner of an alias", () => {
    const state = rich().with({ aliases: [{ address: carol, alias: { chainId: 82, name: "carol" } }] });
    expect(
      applyTransaction(sample(TransactionType.Transfer, { recipient: toAlias("carol"), asset }), state, context)
        .snapshot,
    ).toEqual({
      balances: [
        { address: alice, asset, balance: 490n },
        { address: alice, asset: null, balance: 99_900_000n },
        { address: carol, asset, balance: 10n },
      ],
    });
  });

  it("to an alias without an owner is refused", () => {
    expect(
      violationOf(() =>
        applyTransaction(sample(TransactionType.Transfer, { recipient: toAlias("carol") }), rich(), context),
      ),
    ).toEqual({
      code: "aliasUnknown",
      alias: { chainId: 82, name: "carol" },
    });
  });

  it("with a sponsored fee lets the sponsor pay WAVES in return for the asset", () => {
    const transfer = sample(TransactionType.Transfer, { feeAsset: asset, fee: 60n });
    // 60 units at 50 to a unit of 100,000 wavelets: 120,000 wavelets.
    expect(applyTransaction(transfer, rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset, balance: 440n },
        { address: alice, asset: null, balance: 99_999_990n },
        { address: bob, asset, balance: 60n },
        { address: bob, asset: null, balance: 1_000_000n + 10n - 120_000n },
      ],
    });
  });

  it("with a sponsored fee is refused when the sponsor has no WAVES", () => {
    const state = rich().withBalance(bob, 119_989n);
    // Bob gets 10 with the transfer, but the fee is checked first.
    const violation = violationOf(() =>
      applyTransaction(sample(TransactionType.Transfer, { feeAsset: asset, fee: 60n }), state, context),
    );
    expect(violation).toEqual({
      code: "balancesInvalid",
      problems: [{ kind: "wavesOverspent", account: bob, before: 119_989n, after: -11n }],
    });
  });

  it("before sponsorship the fee stays an asset", () => {
    const features = new Map([[Feature.SmartAccounts as number, 0]]);
    const transfer = sample(TransactionType.Transfer, { feeAsset: asset, fee: 60n });
    expect(applyTransaction(transfer, rich({ features }), context).snapshot.balances).toEqual([
      { address: alice, asset, balance: 440n },
      { address: alice, asset: null, balance: 99_999_990n },
      { address: bob, asset: null, balance: 1_000_010n },
    ]);
  });

  it("cannot pay its fee in a scripted asset", () => {
    const script = { script: Uint8Array.of(1) as never, complexity: 1n };
    const state = rich().withAsset(asset, { issuer: keys.bob, minSponsoredAssetFee: 50n, script });
    // 100,000 wavelets for the transfer and 400,000 for the script: 250 units of the asset.
    const transfer = sample(TransactionType.Transfer, { feeAsset: asset, fee: 250n });
    expect(violationOf(() => applyTransaction(transfer, state, context))).toEqual({ code: "feeAssetScripted", asset });
  });

  it("before feature 11 the sum of amount and fee must fit 64 bits", () => {
    const features = new Map([[Feature.SmartAccounts as number, 0]]);
    const state = rich({ features }).withBalance(alice, 9_223_372_036_854_775_807n, assetId(2));
    const transfer = sample(TransactionType.Transfer, { asset: assetId(2), amount: 9_223_372_036_854_775_807n });
    expect(violationOf(() => applyTransaction(transfer, state, context))).toEqual({ code: "amountsOverflow" });
  });

  it("of an asset that was never issued passes until the last time-based fork", () => {
    const unissued = assetId(99);
    const transfer = sample(TransactionType.Transfer, { asset: unissued, version: 1 });
    const until = (time: bigint): InMemoryState =>
      rich({ features: new Map(), functionality: { lastTimeBasedForkParameter: time } }).withBalance(
        alice,
        10n,
        unissued,
      );
    expect(applyTransaction(transfer, until(now), context).snapshot.balances).toContainEqual({
      address: bob,
      asset: unissued,
      balance: 10n,
    });
    expect(violationOf(() => applyTransaction(transfer, until(now - 1n), context))).toEqual({
      code: "assetNotIssued",
      asset: unissued,
      allowedUntil: now - 1n,
    });
  });

  it("of leased money is refused after block version 3", () => {
    const state = rich().withLeaseBalance(alice, { in: 50_000_000n, out: 99_999_000n });
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Transfer, { fee: 100_000n }), state, context)),
    ).toMatchObject({
      code: "balancesInvalid",
      problems: [{ kind: "lockedMoneySpent", reason: "leaseSpent", account: alice }],
    });
    const early = rich({ height: 5, functionality: { blockVersion3AfterHeight: 5 }, features: new Map() });
    early.withLeaseBalance(alice, { in: 0n, out: 99_999_000n });
    expect(applyTransaction(sample(TransactionType.Transfer, { version: 1 }), early, context).status).toBe("succeeded");
  });
});

describe("mass transfer", () => {
  it("moves to all and takes the total and the fee from the sender", () => {
    expect(applyTransaction(sample(TransactionType.MassTransfer), rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset: null, balance: 100_000_000n - 200_000n - 30n },
        { address: bob, asset: null, balance: 1_000_010n },
        { address: carol, asset: null, balance: 20n },
      ],
    });
  });

  it("lists a repeated recipient once, and none whose amounts are zero", () => {
    const transfers = [
      { recipient: to(bob), amount: 1n },
      { recipient: to(bob), amount: 2n },
      { recipient: to(carol), amount: 0n },
      { recipient: to(alice), amount: 5n },
    ];
    const { snapshot } = applyTransaction(
      sample(TransactionType.MassTransfer, { asset, transfers, fee: 300_000n }),
      rich(),
      context,
    );
    expect(snapshot).toEqual({
      balances: [
        { address: alice, asset, balance: 497n },
        { address: alice, asset: null, balance: 99_700_000n },
        { address: bob, asset, balance: 3n },
      ],
    });
  });

  it("without any transfer takes the fee", () => {
    const { snapshot } = applyTransaction(
      sample(TransactionType.MassTransfer, { transfers: [], fee: 100_000n }),
      rich(),
      context,
    );
    expect(snapshot).toEqual({ balances: [{ address: alice, asset: null, balance: 99_900_000n }] });
  });

  it("of an asset that was never issued is refused before feature 16 by a rule of its own", () => {
    const features = new Map([[Feature.MassTransfer as number, 0]]);
    const unissued = assetId(99);
    const state = rich({ features }).withBalance(alice, 30n, unissued);
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.MassTransfer, { asset: unissued }), state, context)),
    ).toEqual({
      code: "massTransferAssetUnknown",
      asset: unissued,
    });
  });
});

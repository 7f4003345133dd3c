/** Rules for all transactions. @see Waves: state/diffs/CommonValidation.scala */

import { describe, expect, it } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import {
  addresses,
  assetId,
  context,
  keys,
  now,
  sample,
  sampleOrder,
  sampleSellOrder,
  violationOf,
} from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const rich = (options = {}): InMemoryState =>
  new InMemoryState(options)
    .withBalance(addresses.alice, 1_000_000_000n)
    .withBalance(addresses.matcher, 1_000_000_000n);

describe("network", () => {
  it("a transaction of another network is refused", () => {
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Transfer, { chainId: 87 }), rich(), context)),
    ).toEqual({
      code: "transactionOfOtherNetwork",
      expected: 82,
      got: 87,
    });
  });
});

describe("timestamps", () => {
  const forwardMs = 5_400_000n;
  const backMs = 7_200_000n;

  it("a transaction may be 90 minutes ahead of its block, and not a millisecond more", () => {
    const timestamp = now + forwardMs;
    expect(applyTransaction(sample(TransactionType.Transfer, { timestamp }), rich(), context).status).toBe("succeeded");
    expect(
      violationOf(() =>
        applyTransaction(sample(TransactionType.Transfer, { timestamp: timestamp + 1n }), rich(), context),
      ),
    ).toEqual({
      code: "timestampFromFuture",
      timestamp: timestamp + 1n,
      limitMs: forwardMs,
      blockTimestamp: now,
    });
  });

  it("a transaction may be 120 minutes behind the block before its own, and not a millisecond more", () => {
    const previousBlockTimestamp = now - 60_000n;
    const timestamp = previousBlockTimestamp - backMs;
    expect(applyTransaction(sample(TransactionType.Transfer, { timestamp }), rich(), context).status).toBe("succeeded");
    expect(
      violationOf(() =>
        applyTransaction(sample(TransactionType.Transfer, { timestamp: timestamp - 1n }), rich(), context),
      ),
    ).toEqual({
      code: "timestampFromPast",
      timestamp: timestamp - 1n,
      limitMs: backMs,
      previousBlockTimestamp,
    });
  });

  it("before the last time-based fork a transaction may be from any future time", () => {
    const state = rich({ functionality: { lastTimeBasedForkParameter: now + 100_000_000n } });
    const timestamp = now + forwardMs + 1n;
    expect(applyTransaction(sample(TransactionType.Transfer, { timestamp }), state, context).status).toBe("succeeded");
  });
});

describe("activation", () => {
  const without = (feature: number): ReadonlyMap<number, number> =>
    new Map(
      Array.from({ length: 23 }, (_, index) => [index + 1, index + 1 === 7 ? -100_000 : 0] as const).filter(
        ([id]) => id !== feature,
      ),
    );

  it.each([
    [11, Feature.MassTransfer],
    [12, Feature.DataTransaction],
    [14, Feature.FeeSponsorship],
    [15, Feature.SmartAssets],
    [16, Feature.Ride4DApps],
    [17, Feature.BlockV5],
    [18, Feature.RideV6],
    [19, Feature.DeterministicFinality],
  ] as const)("type %i waits for feature %i", (type, feature) => {
    const state = rich({ features: without(feature) });
    expect(violationOf(() => applyTransaction(sample(type), state, context))).toEqual({
      code: "featureNotActive",
      feature,
    });
  });

  it("version 2 of a transfer waits for feature 4, version 1 does not", () => {
    const state = rich({ features: without(Feature.SmartAccounts) });
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Transfer, { version: 2 }), state, context)),
    ).toEqual({
      code: "featureNotActive",
      feature: Feature.SmartAccounts,
    });
    expect(applyTransaction(sample(TransactionType.Transfer, { version: 1 }), state, context).status).toBe("succeeded");
  });

  it("a version in protobuf waits for feature 15, and until feature 22 so does any later one", () => {
    const features = new Map([...without(Feature.BlockV5)].filter(([id]) => id !== Feature.LightNode));
    const violation = { code: "featureNotActive", feature: Feature.BlockV5 };
    expect(
      violationOf(() =>
        applyTransaction(sample(TransactionType.Transfer, { version: 3 }), rich({ features }), context),
      ),
    ).toEqual(violation);
    expect(
      violationOf(() =>
        applyTransaction(sample(TransactionType.Transfer, { version: 9 }), rich({ features }), context),
      ),
    ).toEqual(violation);
    const withBlockV5 = without(Feature.LightNode);
    expect(
      applyTransaction(sample(TransactionType.Transfer, { version: 9 }), rich({ features: withBlockV5 }), context)
        .status,
    ).toBe("succeeded");
  });

  it("a version that does not exist is refused by its number: any from feature 22 on, before it those below 1", () => {
    const violation = (version: number) => ({ code: "versionNotSupported", type: TransactionType.Transfer, version });
    for (const version of [-1, 0, 4, 9]) {
      expect(
        violationOf(() => applyTransaction(sample(TransactionType.Transfer, { version }), rich(), context)),
      ).toEqual(violation(version));
    }
    const features = without(Feature.LightNode);
    for (const version of [-1, 0]) {
      const state = rich({ features });
      expect(
        violationOf(() => applyTransaction(sample(TransactionType.Transfer, { version }), state, context)),
      ).toEqual(violation(version));
    }
  });

  it("an exchange of version 2 waits for feature 10, one with orders of version 3 for feature 12", () => {
    const orders = { order1: sampleOrder({ version: 3 }), order2: sampleSellOrder({ version: 2 }) };
    const exchange = sample(TransactionType.Exchange, { version: 2, ...orders });
    for (const feature of [Feature.SmartAccountTrading, Feature.OrderV3]) {
      const state = rich({ features: without(feature) });
      expect(violationOf(() => applyTransaction(exchange, state, context))).toEqual({
        code: "featureNotActive",
        feature,
      });
    }
  });
});

describe("duplicates", () => {
  it("an id that is in the chain is refused with its height", () => {
    const state = rich().moveTo(42);
    const transfer = sample(TransactionType.Transfer);
    state.include(transfer, "succeeded");
    state.moveTo(100);
    expect(violationOf(() => applyTransaction(transfer, state, context))).toEqual({
      code: "alreadyInState",
      transactionId: transfer.id,
      height: 42,
    });
  });

  it("the id of an elided transaction is taken as well (docs/protocol/snapshots-and-state-hash.md 6)", () => {
    const state = rich();
    state.include(sample(TransactionType.Transfer), "elided");
    expect(violationOf(() => applyTransaction(sample(TransactionType.Transfer), state, context)).code).toBe(
      "alreadyInState",
    );
  });

  it("payments may share an id", () => {
    const state = rich({ functionality: { blockVersion3AfterHeight: 1000 }, features: new Map() });
    state.include(sample(TransactionType.Payment), "succeeded");
    expect(applyTransaction(sample(TransactionType.Payment), state, context).status).toBe("succeeded");
  });

  it("aliases of mainnet may share an id below height 1,060,000", () => {
    const options = { schemeCharacter: "W", features: new Map(), functionality: { blockVersion3AfterHeight: 795_000 } };
    const state = new InMemoryState(options).moveTo(1_059_999);
    const sender = state.addressOf(keys.alice);
    state.withBalance(sender, 1_000_000n).include(sample(TransactionType.CreateAlias), "succeeded");
    const alias = sample(TransactionType.CreateAlias, { version: 1, chainId: 87 });
    expect(applyTransaction(alias, state, context).snapshot.aliases).toHaveLength(1);
    state.moveTo(1_060_000);
    expect(violationOf(() => applyTransaction(alias, state, context)).code).toBe("alreadyInState");
  });
});

describe("spendings", () => {
  it("a transfer of more WAVES than available is refused with the balance, the change and the result", () => {
    const state = new InMemoryState().withBalance(addresses.alice, 100_009n);
    expect(violationOf(() => applyTransaction(sample(TransactionType.Transfer), state, context))).toEqual({
      code: "fundsMissing",
      asset: null,
      balance: 100_009n,
      change: -100_010n,
    });
  });

  it("a transfer of more of an asset than available names the asset", () => {
    const asset = assetId(1);
    const state = rich().withAsset(asset, { issuer: keys.bob }).withBalance(addresses.alice, 9n, asset);
    expect(violationOf(() => applyTransaction(sample(TransactionType.Transfer, { asset }), state, context))).toEqual({
      code: "fundsMissing",
      asset,
      balance: 9n,
      change: -10n,
    });
  });

  it("an asset pays for itself and for the fee in total", () => {
    const asset = assetId(1);
    const state = rich()
      .withAsset(asset, { issuer: keys.bob, minSponsoredAssetFee: 7n })
      .withBalance(addresses.bob, 1_000_000_000n)
      .withBalance(addresses.alice, 16n, asset);
    const transfer = sample(TransactionType.Transfer, { asset, feeAsset: asset, fee: 7n });
    expect(violationOf(() => applyTransaction(transfer, state, context))).toMatchObject({ balance: 16n, change: -17n });
  });

  it("a mass transfer is checked by its total", () => {
    const state = new InMemoryState().withBalance(addresses.alice, 200_029n);
    expect(violationOf(() => applyTransaction(sample(TransactionType.MassTransfer), state, context))).toMatchObject({
      code: "fundsMissing",
      balance: 200_029n,
      change: -200_030n,
    });
  });

  it("an amount and a fee whose sum exceeds 64 bits overflow", () => {
    const transfer = sample(TransactionType.Transfer, { amount: 9_223_372_036_854_775_807n });
    expect(violationOf(() => applyTransaction(transfer, rich(), context))).toEqual({
      code: "sumOverflow",
      quantity: "Waves balance",
      account: undefined,
      stage: "change",
    });
  });

  it("from feature 16 on the asset of a transfer must exist", () => {
    const asset = assetId(77) as AssetId;
    expect(violationOf(() => applyTransaction(sample(TransactionType.Transfer, { asset }), rich(), context))).toEqual({
      code: "transferAssetUnknown",
      asset,
    });
  });

  it("a payment error has the available and the required amount", () => {
    const state = new InMemoryState({ features: new Map(), functionality: { blockVersion3AfterHeight: 1000 } });
    state.withBalance(addresses.alice, 100_009n);
    expect(violationOf(() => applyTransaction(sample(TransactionType.Payment), state, context))).toEqual({
      code: "paymentFundsMissing",
      balance: 100_009n,
      required: 100_010n,
    });
  });

  it("before the last time-based fork only the balances after the transaction count", () => {
    const state = new InMemoryState({ features: new Map(), functionality: { lastTimeBasedForkParameter: now + 1n } });
    state.withBalance(addresses.alice, 100_009n);
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Transfer, { version: 1 }), state, context)).code,
    ).toBe("balancesInvalid");
  });

  describe("of a call", () => {
    const asset = assetId(1);
    const payments = [
      { amount: 6n, asset },
      { amount: 5n, asset },
    ];
    const caller = (options = {}): InMemoryState =>
      rich(options).withAsset(asset, { issuer: keys.bob }).withBalance(addresses.alice, 10n, asset);

    it("are its payments, added up by asset", () => {
      expect(
        violationOf(() => applyTransaction(sample(TransactionType.InvokeScript, { payments }), caller(), context)),
      ).toEqual({
        code: "fundsMissing",
        asset,
        balance: 10n,
        change: -11n,
      });
    });

    it("were checked one by one before feature 15", () => {
      const features = new Map([[Feature.Ride4DApps as number, 0]]);
      // The spendings are right: only the dApp is missing.
      expect(
        violationOf(() =>
          applyTransaction(sample(TransactionType.InvokeScript, { payments }), caller({ features }), context),
        ),
      ).toMatchObject({
        message: expect.stringMatching(/^No contract at address/),
      });
    });

    it("cannot be in an asset that does not exist", () => {
      const unknown = assetId(77);
      const call = sample(TransactionType.InvokeScript, { payments: [{ amount: 1n, asset: unknown }] });
      expect(violationOf(() => applyTransaction(call, caller(), context))).toEqual({
        code: "transferAssetUnknown",
        asset: unknown,
      });
      const features = new Map([
        [Feature.Ride4DApps as number, 0],
        [Feature.BlockV5, 0],
      ]);
      const early = caller({ features }).withBalance(addresses.alice, 5n, unknown);
      expect(violationOf(() => applyTransaction(call, early, context))).toEqual({
        code: "paymentAssetUnknown",
        asset: unknown,
      });
    });

    it("may leave the fee to the transfers of a dApp of version 4, but not for an empty account", () => {
      const dApp = { publicKey: keys.bob, script: Uint8Array.of(0, 2, 4, 0) as Script, verifierComplexity: 0n };
      const state = caller()
        .withBalance(addresses.alice, 499_999n)
        .with({ accountScripts: [dApp] });
      // The rule of spendings accepts it; that of the fee's funds does not.
      expect(violationOf(() => applyTransaction(sample(TransactionType.InvokeScript), state, context)).code).toBe(
        "balancesInvalid",
      );
      const paid = sample(TransactionType.InvokeScript, { payments: [{ amount: 500_000n, asset: null }] });
      expect(violationOf(() => applyTransaction(paid, state, context))).toMatchObject({
        code: "fundsMissing",
        asset: null,
      });
    });
  });
});

/** Exchange of two orders. @see Waves: state/diffs/ExchangeTransactionDiff.scala */

import { describe, expect, it } from "vitest";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { Feature } from "../../../src/network/features.ts";
import type { Order, OrderId } from "../../../src/protocol/transactions/order.ts";
import type { ExchangeTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { exchangePortfolios } from "../../../src/rules/transactions/exchange-portfolios.ts";
import { orderSenderAddress } from "../../../src/rules/transactions/sender-address.ts";
import {
  addresses,
  assetId,
  context,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
  violationOf,
} from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const { alice, bob, matcher } = addresses;
const asset = assetId(1);
const other = assetId(2);
const rich = (options: StateOptions = {}): InMemoryState =>
  new InMemoryState(options)
    .withBalance(alice, 10_000_000n)
    .withBalance(bob, 10_000_000n)
    .withBalance(matcher, 10_000_000n)
    .withAsset(asset, { issuer: keys.bob, decimals: 8 })
    .withBalance(bob, 5000n, asset);

const exchange = (
  fields: Partial<Omit<ExchangeTransaction, "type">> = {},
  buy: Partial<Order> = {},
  sell: Partial<Order> = {},
) => sample(TransactionType.Exchange, { order1: sampleOrder(buy), order2: sampleSellOrder(sell), ...fields });

/** Changes by an exchange, by account and asset. */
function changesOf(transaction: ExchangeTransaction, view: InMemoryState) {
  const changes = exchangePortfolios(transaction, view);
  return (account: Uint8Array, of: Uint8Array | null = null): bigint => {
    const portfolio = changes.get(bytesKey(account))?.portfolio;
    return (of === null ? portfolio?.waves : portfolio?.assets.get(bytesKey(of))?.amount) ?? 0n;
  };
}

describe("exchange", () => {
  it("moves amount and price, pays the matcher twice and its own fee", () => {
    // 1000 units at 0.5 WAVES each in the smallest units: 500 wavelets.
    const { snapshot } = applyTransaction(exchange(), rich(), context);
    expect(snapshot).toEqual({
      balances: [
        { address: matcher, asset: null, balance: 10_300_000n },
        { address: alice, asset, balance: 1000n },
        { address: alice, asset: null, balance: 9_699_500n },
        { address: bob, asset, balance: 4000n },
        { address: bob, asset: null, balance: 9_700_500n },
      ],
      orderFills: [
        { orderId: sampleOrder().id, volume: 1000n, fee: 300_000n },
        { orderId: sampleSellOrder().id, volume: 1000n, fee: 300_000n },
      ],
    });
  });

  it("accepts the orders in either order in version 3", () => {
    const swapped = exchange({ order1: sampleSellOrder(), order2: sampleOrder() });
    expect(applyTransaction(swapped, rich(), context)).toEqual(applyTransaction(exchange(), rich(), context));
  });

  it("takes matcher fees in the assets that the orders name", () => {
    const fees = { buyMatcherFee: 30n, sellMatcherFee: 40n };
    const transaction = exchange(
      fees,
      { matcherFeeAsset: asset, matcherFee: 30n },
      { matcherFeeAsset: asset, matcherFee: 40n },
    );
    const change = changesOf(transaction, rich());
    expect([change(matcher, asset), change(alice, asset), change(bob, asset)]).toEqual([70n, 970n, -1040n]);
    expect([change(matcher), change(alice), change(bob)]).toEqual([-300_000n, -500n, 500n]);
  });

  it("of an unknown asset is refused", () => {
    const transaction = exchange({}, { amountAsset: other }, { amountAsset: other });
    expect(violationOf(() => applyTransaction(transaction, rich(), context))).toEqual({
      code: "exchangeAssetUnknown",
      asset: other,
    });
  });

  it("with a matcher fee in an unknown asset is refused", () => {
    const transaction = exchange({}, { matcherFeeAsset: other });
    expect(violationOf(() => applyTransaction(transaction, rich(), context))).toEqual({
      code: "matcherFeeAssetUnknown",
      asset: other,
    });
  });

  it("with a negative matcher fee is refused", () => {
    const transaction = exchange({ sellMatcherFee: -1n });
    expect(violationOf(() => applyTransaction(transaction, rich(), context))).toEqual({
      code: "matcherFeeNegative",
      buyMatcherFee: 300_000n,
      sellMatcherFee: -1n,
    });
  });

  it("leaves no account below zero", () => {
    const poor = rich().withBalance(alice, 300_499n);
    expect(violationOf(() => applyTransaction(exchange(), poor, context))).toEqual({
      code: "balancesInvalid",
      problems: [{ kind: "wavesOverspent", account: alice, before: 300_499n, after: -1n }],
    });
  });
});

describe("price", () => {
  it("is at most the buyer's", () => {
    const transaction = exchange({ price: 50_000_001n });
    expect(violationOf(() => applyTransaction(transaction, rich(), context))).toEqual({
      code: "exchangePriceOutOfOrder",
      side: "buy",
      price: 50_000_001n,
      orderPrice: 50_000_000n,
      convertedOrderPrice: 50_000_000n,
    });
  });

  it("is at least the seller's", () => {
    const transaction = exchange({ price: 49_999_999n });
    expect(violationOf(() => applyTransaction(transaction, rich(), context))).toMatchObject({
      code: "exchangePriceOutOfOrder",
      side: "sell",
      price: 49_999_999n,
    });
  });

  it("counts in the assets' decimals from version 3 on: 1.5 of 2 decimals at 0.25 WAVES", () => {
    const state = rich().withAsset(other, { issuer: keys.bob, decimals: 2 }).withBalance(bob, 1000n, other);
    // 150 units at 0.25 * 10^8: 150 * 25,000,000 / 10^(8 + 2 - 8) = 37,500,000 wavelets.
    const terms = { amountAsset: other, price: 25_000_000n };
    const change = changesOf(exchange({ amount: 150n, price: 25_000_000n }, terms, terms), state);
    expect([change(alice), change(bob)]).toEqual([-37_500_000n - 300_000n, 37_500_000n - 300_000n]);
  });

  it("of an older order counts in the decimals of the pair and is converted", () => {
    const state = rich().withAsset(other, { issuer: keys.bob, decimals: 2 }).withBalance(bob, 1000n, other);
    // 0.25 WAVES for one of two decimals: 0.25 * 10^8 * 10^(8 - 2).
    const old = { amountAsset: other, price: 25_000_000_000_000n, version: 3 };
    const transaction = exchange({ amount: 150n, price: 25_000_000n }, old, old);
    expect(changesOf(transaction, state)(bob)).toBe(37_500_000n - 300_000n);
    const dear = exchange({ amount: 150n, price: 25_000_001n }, old, old);
    expect(violationOf(() => applyTransaction(dear, state, context))).toEqual({
      code: "exchangePriceOutOfOrder",
      side: "buy",
      price: 25_000_001n,
      orderPrice: 25_000_000_000_000n,
      convertedOrderPrice: 25_000_000n,
    });
  });

  it("of an order of version 4 counts in the decimals of the pair if the order says so", () => {
    const state = rich().withAsset(other, { issuer: keys.bob, decimals: 2 });
    const terms = { amountAsset: other, price: 25_000_000_000_000n, priceMode: "assetDecimals" } as const;
    const fixed = { amountAsset: other, price: 25_000_000n, priceMode: "fixedDecimals" } as const;
    const change = changesOf(exchange({ amount: 150n, price: 25_000_000n }, terms, fixed), state);
    expect(change(bob)).toBe(37_500_000n - 300_000n);
  });

  it("counts in 10^-8 for any decimals before version 3", () => {
    const state = rich().withAsset(other, { issuer: keys.bob, decimals: 2 });
    const terms = { amountAsset: other, version: 3, price: 25_000_000n };
    const change = changesOf(exchange({ version: 2, amount: 150n, price: 25_000_000n }, terms, terms), state);
    // 150 * 25,000,000 / 10^8 = 37.5, rounded down.
    expect([change(alice), change(bob)]).toEqual([-37n - 300_000n, 37n - 300_000n]);
  });

  it("in a mode of its own waits for feature 17", () => {
    const features = new Map([4, 10, 12, 15].map((id) => [id, 0] as const));
    const transaction = exchange({}, { priceMode: "assetDecimals" });
    expect(violationOf(() => applyTransaction(transaction, rich({ features }), context)).code).toBe(
      "orderPriceModeNotActive",
    );
  });

  it("times the amount must fit 64 bits, with the matcher fee on top if paid in WAVES", () => {
    const amount = 10n ** 18n;
    const terms = { amount, price: 10n ** 18n };
    const huge = exchange({ amount, price: 10n ** 18n }, terms, terms);
    expect(violationOf(() => exchangePortfolios(huge, rich()))).toEqual({ code: "exchangeAmountOverflow" });
    // Ten units at 9.22…e17 each: 9,223,372,036,854,775,800 wavelets fit, with a matcher fee of up to 7.
    const edge = { amount: 1_000_000_000n, price: 922_337_203_685_477_580n };
    const atEdge = (matcherFee: bigint) =>
      exchange({ ...edge, sellMatcherFee: 0n, buyMatcherFee: 0n }, { ...edge, matcherFee }, edge);
    expect(changesOf(atEdge(7n), rich())(bob)).toBe(9_223_372_036_854_775_800n);
    expect(violationOf(() => exchangePortfolios(atEdge(8n), rich())).code).toBe("exchangeAmountOverflow");
  });

  it("times the amount is rounded to 34 digits before it is truncated, as the reference's decimals are", () => {
    const state = rich()
      .withAsset(asset, { issuer: keys.bob, decimals: 8 })
      .withAsset(other, { issuer: keys.bob, decimals: 0 });
    // The power is 0 - 8 - 8 = -16. The product (10^18 - 1) * (5 * 10^16 + 1) has 35 digits and ends in
    // 9999999999999999: the 35th digit rounds all of them up, and the truncation leaves one more.
    const amount = 999_999_999_999_999_999n;
    const price = 50_000_000_000_000_001n;
    const terms = { amount, price, priceAsset: other };
    expect((amount * price).toString()).toHaveLength(35);
    expect((amount * price) / 10n ** 16n).toBe(5_000_000_000_000_000_094n);
    expect(changesOf(exchange({ amount, price }, terms, terms), state)(bob, other)).toBe(5_000_000_000_000_000_095n);
  });
});

describe("filling", () => {
  const filled = (orderId: OrderId, volume: bigint, fee: bigint): InMemoryState =>
    rich().with({ orderFills: [{ orderId, volume, fee }] });

  it("adds to the earlier filled amount", () => {
    const transaction = exchange({ buyMatcherFee: 100n }, { amount: 1500n });
    const state = filled(sampleOrder().id, 500n, 200n);
    expect(applyTransaction(transaction, state, context).snapshot.orderFills?.[0]).toEqual({
      orderId: sampleOrder().id,
      volume: 1500n,
      fee: 300n,
    });
  });

  it("ends at the order's amount", () => {
    const state = filled(sampleSellOrder().id, 1n, 0n);
    expect(violationOf(() => applyTransaction(exchange(), state, context))).toEqual({
      code: "orderOverfilled",
      order: sampleSellOrder(),
      filled: 1n,
      amount: 1000n,
    });
  });

  it("takes the whole fee at any time from version 3 on", () => {
    const fees = { buyMatcherFee: 300_001n };
    expect(violationOf(() => applyTransaction(exchange(fees), rich(), context))).toEqual({
      code: "orderFeeExceeded",
      order: sampleOrder(),
      fee: 300_001n,
      limit: 300_000n,
    });
    expect(applyTransaction(exchange({ amount: 1n }), rich(), context).status).toBe("succeeded");
  });

  it("takes the fee in proportion before version 3, rounded down", () => {
    const terms = { version: 2 };
    const part = { version: 2, amount: 333n, sellMatcherFee: 1n };
    // 300,000 * 333 / 1000 = 99,900.
    expect(applyTransaction(exchange({ ...part, buyMatcherFee: 99_900n }, terms, terms), rich(), context).status).toBe(
      "succeeded",
    );
    expect(
      violationOf(() => applyTransaction(exchange({ ...part, buyMatcherFee: 99_901n }, terms, terms), rich(), context)),
    ).toMatchObject({ code: "orderFeeExceeded", fee: 99_901n, limit: 99_900n });
  });
});

describe("parties", () => {
  it("with scripts cannot sign in version 1", () => {
    const first = exchange({ version: 1 }, { version: 1 }, { version: 1 });
    const withScript = (party: typeof keys.alice): InMemoryState => rich().withAccountScript(party, 1n);
    expect(violationOf(() => applyTransaction(first, withScript(keys.matcher), context))).toEqual({
      code: "signatureOfScriptedAccount",
      what: "transaction",
    });
    expect(violationOf(() => applyTransaction(first, withScript(keys.bob), context))).toEqual({
      code: "signatureOfScriptedAccount",
      what: "order",
    });
  });

  it("with a short Ethereum key or an old signature form wait for feature 18", () => {
    const features = new Map([4, 10, 12, 15, 17].map((id) => [id, 0] as const));
    const signature = new Uint8Array(65).fill(1);
    const short = new Uint8Array(64);
    const order = sampleOrder({ sender: short, proofs: [], eip712Signature: signature });
    const whole = { ...order, sender: new Uint8Array(64).fill(200) };
    const state = rich({ features });
    for (const owner of [order, whole]) state.withBalance(orderSenderAddress(owner), 10_000_000n);
    expect(violationOf(() => applyTransaction(exchange({}, order), state, context)).code).toBe("orderKeyInvalid");
    expect(violationOf(() => applyTransaction(exchange({}, whole), state, context)).code).toBe(
      "orderSignatureFormatInvalid",
    );
  });

  it("with an attachment of an order wait for feature 22", () => {
    const features = new Map([4, 10, 12, 15, 17, 18].map((id) => [id, 0] as const));
    const order = { attachment: Uint8Array.of(1) };
    const violation = violationOf(() => applyTransaction(exchange({}, order), rich({ features }), context));
    expect(violation.code).toBe("orderAttachmentNotActive");
    expect(applyTransaction(exchange({}, order), rich(), context).status).toBe("succeeded");
  });

  it("and their scripted assets wait for features 9 and 10", () => {
    const script = { script: Uint8Array.of(1) as never, complexity: 1n };
    const features = new Map([[Feature.SmartAccounts as number, 0]]);
    const v1 = exchange({ version: 1, fee: 700_000n }, { version: 1 }, { version: 1 });
    const scripted = rich({ features }).withAsset(asset, { issuer: keys.bob, script });
    expect(violationOf(() => applyTransaction(v1, scripted, context))).toEqual({
      code: "scriptedAssetTradingNotActive",
      asset,
    });
  });
});

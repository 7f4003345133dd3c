/**
 * Minimum fees and their recipients.
 * @see Waves: state/diffs/FeeValidation.scala, BlockDiffer.scala; docs/protocol/consensus-and-finality.md 1.8
 */

import { describe, expect, it } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import type { DataEntry, Script, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { sponsorshipHeight } from "../../../src/rules/consensus/feature-voting.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { minimumFee } from "../../../src/rules/transactions/checks/minimum-fee.ts";
import { currentFeePart, feeShares, feesAtBlockStart } from "../../../src/rules/transactions/fee-shares.ts";
import { assetFeeOfWaves, wavesOfAssetFee } from "../../../src/rules/transactions/sponsorship.ts";
import { addresses, assetId, context, keys, sample, violationOf } from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const asset = assetId(1);
const script = { script: Uint8Array.of(1) as Script, complexity: 1n };
const state = (options: StateOptions = {}): InMemoryState =>
  new InMemoryState(options).withAsset(asset, { issuer: keys.alice, minSponsoredAssetFee: 50n });
/** Only the given features, and sponsorship. */
const only = (...features: number[]): StateOptions => ({
  features: new Map([[Feature.FeeSponsorship as number, -100_000], ...features.map((id) => [id, 0] as const)]),
});
const required = (transaction: Transaction, view: InMemoryState): bigint =>
  minimumFee(transaction, view).requiredWavelets;
const text = (sizeBytes: number): DataEntry => ({
  key: "k",
  value: { type: "string", value: "x".repeat(sizeBytes - 1) },
});

describe("minimum fee", () => {
  it.each([
    [1, 0n],
    [2, 100_000n],
    [3, 100_000_000n],
    [4, 100_000n],
    [5, 100_000n],
    [6, 100_000n],
    [7, 300_000n],
    [8, 100_000n],
    [9, 100_000n],
    [10, 100_000n],
    [12, 100_000n],
    [13, 100_000n],
    [14, 100_000n],
    [15, 99_600_000n],
    [16, 500_000n],
    [17, 100_000n],
    [18, 100_000n],
    [19, 10_000_000n],
  ] as const)("of type %i is %d wavelets with all features", (type, wavelets) => {
    expect(required(sample(type), state())).toBe(wavelets);
  });

  it("of a mass transfer grows by half a unit for each transfer, rounded up", () => {
    const transfers = sample(TransactionType.MassTransfer).transfers.slice(0, 1);
    const fees = [0, 1, 2, 3, 4].map((count) =>
      required(
        sample(TransactionType.MassTransfer, { transfers: Array.from({ length: count }, () => transfers[0]!) }),
        state(),
      ),
    );
    expect(fees).toEqual([100_000n, 200_000n, 200_000n, 300_000n, 300_000n]);
  });

  it("of data grows with each started kibibyte of keys and values from feature 17 on", () => {
    const fees = [1, 1024, 1025, 2048, 2049].map((size) =>
      required(sample(TransactionType.Data, { data: [text(size)] }), state()),
    );
    expect(fees).toEqual([100_000n, 100_000n, 200_000n, 200_000n, 300_000n]);
    expect(required(sample(TransactionType.Data, { version: 2, data: [] }), state())).toBe(100_000n);
  });

  it("of data counts the protobuf message, the body or the whole before", () => {
    // Key of 1 byte: 3 bytes; value of 1015: 1018 bytes; entry of 1021 with tag and length: 1024.
    const exact = sample(TransactionType.Data, { version: 2, data: [text(1016)] });
    const longer = sample(TransactionType.Data, { version: 2, data: [text(1017)] });
    const v5 = state(only(Feature.BlockV5));
    expect([required(exact, v5), required(longer, v5)]).toEqual([100_000n, 200_000n]);
    const v1 = sample(TransactionType.Data, { bodyBytes: new Uint8Array(1024), bytes: new Uint8Array(1100) });
    expect(required(v1, state(only(Feature.SmartAccounts)))).toBe(100_000n);
    expect(required(v1, state(only()))).toBe(200_000n);
  });

  it("of an NFT is a thousandth from feature 13 on", () => {
    const issue = sample(TransactionType.Issue, { quantity: 1n, decimals: 0, reissuable: false });
    expect(required(issue, state())).toBe(100_000n);
    expect(required(issue, state(only()))).toBe(100_000_000n);
  });

  it("of reissue and sponsorship is a thousandth from feature 15 on", () => {
    expect([
      required(sample(TransactionType.Reissue), state(only())),
      required(sample(TransactionType.SponsorFee), state(only())),
    ]).toEqual([100_000_000n, 100_000_000n]);
  });

  it("of an account script grows with each started kibibyte from feature 17 on", () => {
    const sized = (sizeBytes: number) =>
      sample(TransactionType.SetScript, { script: new Uint8Array(sizeBytes) as Script });
    expect([1, 1024, 1025].map((size) => required(sized(size), state()))).toEqual([100_000n, 100_000n, 200_000n]);
    expect(required(sized(5000), state(only()))).toBe(1_000_000n);
  });

  it("of an Ethereum call is that of a call", () => {
    expect(required(sample(TransactionType.Ethereum, { data: Uint8Array.of(1, 2, 3, 4) }), state())).toBe(500_000n);
  });

  it("pays for each scripted asset", () => {
    const scripted = state().withAsset(asset, { issuer: keys.alice, script });
    expect(minimumFee(sample(TransactionType.Transfer, { asset }), scripted)).toEqual({
      feeAsset: null,
      required: 500_000n,
      requiredWavelets: 500_000n,
      scriptedAssets: 1,
      scriptedSender: false,
    });
    expect(required(sample(TransactionType.Exchange), scripted)).toBe(700_000n);
    expect(required(sample(TransactionType.SetAssetScript), scripted)).toBe(100_000_000n);
  });

  it("pays for payments of a call before feature 16, for each of them", () => {
    const payments = [
      { amount: 1n, asset },
      { amount: 2n, asset },
    ];
    const scripted = (options: StateOptions): InMemoryState =>
      state(options).withAsset(asset, { issuer: keys.alice, script });
    expect(required(sample(TransactionType.InvokeScript, { payments }), scripted(only()))).toBe(1_300_000n);
    expect(required(sample(TransactionType.InvokeScript, { payments }), scripted({}))).toBe(500_000n);
  });

  it("pays for the sender's script, from feature 16 on only above a complexity of 200", () => {
    const scripted = (complexity: bigint, options: StateOptions = {}): InMemoryState =>
      state(options).withAccountScript(keys.alice, complexity);
    expect(required(sample(TransactionType.Transfer), scripted(200n))).toBe(100_000n);
    expect(required(sample(TransactionType.Transfer), scripted(201n))).toBe(500_000n);
    expect(required(sample(TransactionType.Transfer), scripted(1n, only()))).toBe(500_000n);
  });

  it("in an asset is worth the same in WAVES", () => {
    expect(minimumFee(sample(TransactionType.Transfer, { feeAsset: asset }), state())).toMatchObject({
      required: 50n,
      requiredWavelets: 100_000n,
    });
    expect(minimumFee(sample(TransactionType.InvokeScript, { feeAsset: asset }), state())).toMatchObject({
      required: 250n,
    });
  });

  it("a fee that is too low is refused with the required one", () => {
    const rich = state().withBalance(addresses.alice, 1_000_000n);
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Transfer, { fee: 99_999n }), rich, context)),
    ).toEqual({
      code: "feeTooLow",
      type: TransactionType.Transfer,
      fee: 99_999n,
      feeAsset: null,
      required: 100_000n,
      requiredWavelets: 100_000n,
      scriptedAssets: 0,
      scriptedSender: false,
    });
  });

  it("before sponsorship any fee is enough", () => {
    const view = (): InMemoryState =>
      new InMemoryState({ features: new Map([[4, 0]]) }).withBalance(addresses.alice, 1_000_000n);
    expect(applyTransaction(sample(TransactionType.Transfer, { fee: 1n }), view(), context).status).toBe("succeeded");
    expect(violationOf(() => applyTransaction(sample(TransactionType.Transfer, { fee: 0n }), view(), context))).toEqual(
      {
        code: "feeMissing",
        fee: 0n,
      },
    );
  });

  it("in an asset that is unknown or not sponsored is refused", () => {
    const unknown = assetId(99);
    expect(violationOf(() => minimumFee(sample(TransactionType.Transfer, { feeAsset: unknown }), state()))).toEqual({
      code: "feeAssetUnknown",
      asset: unknown,
    });
    const ended = state().withAsset(asset, { issuer: keys.alice });
    expect(violationOf(() => minimumFee(sample(TransactionType.Transfer, { feeAsset: asset }), ended))).toEqual({
      code: "feeAssetNotSponsored",
      asset,
    });
  });
});

describe("sponsorship", () => {
  it("is in force one voting period after its feature, two where periods have doubled", () => {
    const functionality = { featureCheckBlocksPeriod: 10, doubleFeaturesPeriodsAfterHeight: 30 };
    const active = (height: number) => {
      const view = new InMemoryState({ functionality, features: new Map([[7, height]]) });
      return sponsorshipHeight(view, view.settings.functionality);
    };
    expect([active(30), active(31)]).toEqual([40, 51]);
    const undecided = new InMemoryState({ features: new Map() });
    expect(sponsorshipHeight(undecided, undecided.settings.functionality)).toBeUndefined();
  });

  it("converts fees at the price of a unit, rounded down", () => {
    expect(wavesOfAssetFee(7n, 50n)).toBe(14_000n);
    expect(wavesOfAssetFee(1n, 3n)).toBe(33_333n);
    expect(assetFeeOfWaves(500_000n, 50n)).toBe(250n);
    expect(assetFeeOfWaves(99_999n, 1n)).toBe(0n);
    expect(violationOf(() => wavesOfAssetFee(10n ** 18n, 1n))).toEqual({ code: "feeConversionOverflow" });
  });
});

describe("shares of a fee", () => {
  it("two fifths of whole fifths go to the generator, the rest is carried", () => {
    expect([0n, 4n, 5n, 9n, 100_000n, 100_004n].map(currentFeePart)).toEqual([0n, 0n, 2n, 2n, 40_000n, 40_000n]);
    expect(feeShares(sample(TransactionType.Transfer, { fee: 100_004n }), state())).toEqual({
      asset: null,
      amount: 100_004n,
      toGenerator: 40_000n,
      carry: 60_004n,
      wavesFee: 100_004n,
    });
  });

  it("of a sponsored fee are paid in WAVES", () => {
    expect(feeShares(sample(TransactionType.Transfer, { feeAsset: asset, fee: 60n }), state())).toEqual({
      asset: null,
      amount: 120_000n,
      toGenerator: 48_000n,
      carry: 72_000n,
      wavesFee: 120_000n,
    });
  });

  it("before sponsorship are paid in the fee's own asset and not carried by the chain", () => {
    const view = state({ features: new Map([[2, 0]]) });
    expect(feeShares(sample(TransactionType.Transfer, { feeAsset: asset, fee: 60n }), view)).toEqual({
      asset,
      amount: 60n,
      toGenerator: 24n,
      carry: 0n,
      wavesFee: 0n,
    });
  });

  it("start with the block after the activation of NG", () => {
    const view = state({ features: new Map([[2, 100]]) });
    expect(feeShares(sample(TransactionType.Transfer), view.moveTo(100)).toGenerator).toBe(0n);
    expect(feeShares(sample(TransactionType.Transfer), view.moveTo(101)).toGenerator).toBe(40_000n);
  });
});

describe("fees at the start of a block", () => {
  const blocks = {
    carry: 777n,
    previousTransactions: [
      sample(TransactionType.Transfer, { fee: 100n }),
      sample(TransactionType.Transfer, { fee: 7n, feeAsset: asset }),
    ],
    transactions: [
      sample(TransactionType.Transfer, { fee: 11n }),
      sample(TransactionType.Transfer, { fee: 12n, feeAsset: asset }),
    ],
  };
  const own = [
    { asset: null, amount: 11n },
    { asset, amount: 12n },
  ];

  it("before NG are all fees of the block", () => {
    const view = state({ features: new Map() });
    expect(feesAtBlockStart({ view, ...blocks })).toEqual(own);
  });

  it("are none at the first block that shares fees, then three fifths of the block before", () => {
    const view = state({ features: new Map([[2, 99]]) });
    expect(feesAtBlockStart({ view: view.moveTo(99), ...blocks })).toEqual(own);
    expect(feesAtBlockStart({ view: view.moveTo(100), ...blocks })).toEqual([]);
    // 100 - 40, 7 - 2.
    expect(feesAtBlockStart({ view: view.moveTo(101), ...blocks })).toEqual([
      { asset: null, amount: 60n },
      { asset, amount: 5n },
    ]);
  });

  it("are the carry fee once the parent knows sponsorship", () => {
    const functionality = { featureCheckBlocksPeriod: 10 };
    const view = state({
      features: new Map([
        [2, 0],
        [7, 90],
      ]),
      functionality,
    });
    expect(feesAtBlockStart({ view: view.moveTo(100), ...blocks })).toHaveLength(2);
    expect(feesAtBlockStart({ view: view.moveTo(101), ...blocks })).toEqual([{ asset: null, amount: 777n }]);
  });
});

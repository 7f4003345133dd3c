/** @see Waves: state/diffs/FeeValidation.scala */
import { describe, expect, it } from "vitest";
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import { Feature } from "../../../../src/network/features.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import {
  checkMinimumFee,
  getSponsoredAsset,
  minimumFee,
} from "../../../../src/rules/transactions/checks/minimum-fee.ts";
import { addresses, assetId, keys, sample, violationOf } from "../../../support/builders/sample-transactions.ts";
import { constantScript } from "../../../support/builders/test-scripts.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const asset = assetId(1);
const script = { script: constantScript(true), complexity: 1n };
const beforeSponsorship = (...features: number[]): StateOptions => ({
  features: new Map(features.map((feature) => [feature, 0])),
});

describe("before sponsorship", () => {
  it("nothing must be paid for a grant, and something for any sent transaction", () => {
    const view = new InMemoryState(beforeSponsorship());
    expect(() => checkMinimumFee(sample(TransactionType.Genesis), view)).not.toThrow();
    for (const fee of [0n, -1n]) {
      expect(violationOf(() => checkMinimumFee(sample(TransactionType.Payment, { fee }), view))).toEqual({
        code: "feeMissing",
        fee,
      });
    }
    expect(() => checkMinimumFee(sample(TransactionType.Issue, { fee: 1n }), view)).not.toThrow();
  });

  it("the minimum fee counts in WAVES, in any fee asset", () => {
    const view = new InMemoryState(beforeSponsorship());
    expect(minimumFee(sample(TransactionType.Transfer, { feeAsset: asset }), view)).toMatchObject({
      feeAsset: null,
      required: 100_000n,
    });
  });
});

describe("in a sponsored asset", () => {
  const sponsored = (minSponsoredAssetFee: bigint, options = {}) =>
    new InMemoryState().withAsset(asset, { issuer: keys.alice, minSponsoredAssetFee, ...options });
  const transfer = sample(TransactionType.Transfer, { feeAsset: asset });

  it("the asset's script is paid for as well", () => {
    expect(minimumFee(transfer, sponsored(50n))).toEqual({
      feeAsset: asset,
      required: 50n,
      requiredWavelets: 100_000n,
      scriptedAssets: 0,
      scriptedSender: false,
    });
    expect(minimumFee(transfer, sponsored(50n, { script }))).toEqual({
      feeAsset: asset,
      required: 250n,
      requiredWavelets: 500_000n,
      scriptedAssets: 1,
      scriptedSender: false,
    });
  });

  it("a price of one is one, a price of zero or less is no sponsorship", () => {
    expect(getSponsoredAsset(asset, sponsored(1n)).minSponsoredAssetFee).toBe(1n);
    for (const price of [0n, -1n]) {
      expect(violationOf(() => getSponsoredAsset(asset, sponsored(price))).code).toBe("feeAssetNotSponsored");
    }
  });

  it("the fee may be exactly the least", () => {
    const pays = (fee: bigint) => () =>
      checkMinimumFee(sample(TransactionType.Transfer, { feeAsset: asset, fee }), sponsored(50n));
    expect(pays(50n)).not.toThrow();
    expect(violationOf(pays(49n))).toMatchObject({ code: "feeTooLow", fee: 49n, required: 50n });
  });
});

describe("scripts", () => {
  it("of sender and asset are both paid for", () => {
    const view = new InMemoryState(beforeSponsorship(Feature.SmartAccounts))
      .withAsset(asset, { issuer: keys.alice, script })
      .withAccountScript(keys.alice, 1n);
    expect(minimumFee(sample(TransactionType.Transfer, { asset }), view)).toEqual({
      feeAsset: null,
      required: 900_000n,
      requiredWavelets: 900_000n,
      scriptedAssets: 1,
      scriptedSender: true,
    });
  });

  it("without a script nothing is paid for it, with any features", () => {
    const view = new InMemoryState(beforeSponsorship(Feature.SmartAccounts)).withAsset(asset, { issuer: keys.alice });
    expect(minimumFee(sample(TransactionType.Transfer, { asset }), view)).toMatchObject({
      required: 100_000n,
      scriptedAssets: 0,
      scriptedSender: false,
    });
  });

  it("of the account of an Ethereum wallet are not paid for: they do not run", () => {
    const view = new InMemoryState().withAccountScript(keys.alice, 2000n);
    expect(minimumFee(sample(TransactionType.Ethereum, { sender: addresses.alice }), view)).toMatchObject({
      required: 100_000n,
      scriptedSender: false,
    });
  });
});

describe("of an Ethereum wallet's transaction", () => {
  const selector = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb);
  const amount = new Uint8Array(32).fill(1, 31);
  const data = concatBytes(selector, new Uint8Array(12), addresses.carol.subarray(2, 22), amount);
  const tokenTransfer = sample(TransactionType.Ethereum, { to: asset.subarray(0, 20), value: 0n, data });

  it("the script of the token is paid for", () => {
    const view = new InMemoryState().withAsset(asset, { issuer: keys.alice, script });
    expect(minimumFee(tokenTransfer, view)).toMatchObject({ required: 500_000n, scriptedAssets: 1 });
    expect(minimumFee(sample(TransactionType.Ethereum), view)).toMatchObject({ required: 100_000n, scriptedAssets: 0 });
  });

  it("a token without script, or an unknown one, costs nothing more", () => {
    const view = new InMemoryState();
    expect(minimumFee(tokenTransfer, view)).toMatchObject({ required: 100_000n, scriptedAssets: 0 });
    view.withAsset(asset, { issuer: keys.alice });
    expect(minimumFee(tokenTransfer, view)).toMatchObject({ required: 100_000n, scriptedAssets: 0 });
  });
});

it("a removal of an account's script costs as much as the smallest one", () => {
  expect(minimumFee(sample(TransactionType.SetScript, { script: null }), new InMemoryState()).required).toBe(100_000n);
});

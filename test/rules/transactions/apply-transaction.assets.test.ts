/** Issue, reissue, burn, sponsorship, renaming. @see Waves: state/diffs/{AssetTransactionsDiffs,DiffsCommon}.scala */

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
  violationOf,
} from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const { alice, bob } = addresses;
const asset = assetId(1);
const max = 9_223_372_036_854_775_807n;
const rich = (options: StateOptions = {}): InMemoryState =>
  new InMemoryState(options)
    .withBalance(alice, 1_000_000_000n)
    .withAsset(asset, { issuer: keys.alice, volume: 1000n })
    .withBalance(alice, 600n, asset);
const script = { script: Uint8Array.of(1) as Script, complexity: 1n };

describe("issue", () => {
  it("creates the asset and gives it to the sender", () => {
    const issue = sample(TransactionType.Issue);
    const assetId = issue.id as Uint8Array as AssetId;
    expect(applyTransaction(issue, rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset: assetId, balance: 1000n },
        { address: alice, asset: null, balance: 900_000_000n },
      ],
      assetStatics: [{ assetId, issuer: keys.alice, decimals: 2, nft: false, originTransactionId: issue.id }],
      assetVolumes: [{ assetId, reissuable: true, volume: 1000n }],
      assetTexts: [{ assetId, name: issue.name, description: issue.description }],
    });
  });

  it("of one indivisible unit forever is an NFT once feature 13 is active", () => {
    const issue = sample(TransactionType.Issue, { quantity: 1n, decimals: 0, reissuable: false, fee: 100_000n });
    expect(applyTransaction(issue, rich(), context).snapshot.assetStatics?.[0]?.nft).toBe(true);
    const reissuable = { ...issue, reissuable: true, fee: 100_000_000n };
    expect(applyTransaction(reissuable, rich(), context).snapshot.assetStatics?.[0]?.nft).toBe(false);
    const early = rich({ features: new Map([[Feature.SmartAccounts as number, 0]]) });
    expect(applyTransaction(issue, early, context).snapshot.assetStatics?.[0]?.nft).toBe(false);
  });

  it("under an id whose first 20 bytes are taken is refused", () => {
    const id = sample(TransactionType.Issue).id;
    const taken = Uint8Array.from(id) as AssetId;
    taken[31] = 0;
    const state = rich().withAsset(taken, { issuer: keys.bob });
    expect(violationOf(() => applyTransaction(sample(TransactionType.Issue), state, context))).toEqual({
      code: "assetAlreadyIssued",
      asset: id,
    });
  });

  it("with texts that are no UTF-8 is refused from feature 15 on", () => {
    const broken = Uint8Array.of(0x61, 0x61, 0x61, 0xff);
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Issue, { name: broken }), rich(), context)),
    ).toEqual({
      code: "assetTextNotUtf8",
      field: "name",
    });
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Issue, { description: broken }), rich(), context)),
    ).toEqual({
      code: "assetTextNotUtf8",
      field: "description",
    });
    const early = rich({ features: new Map([[Feature.SmartAccounts as number, 0]]) });
    expect(applyTransaction(sample(TransactionType.Issue, { name: broken }), early, context).status).toBe("succeeded");
  });
});

describe("reissue", () => {
  it("adds to the volume and to the sender's balance", () => {
    expect(applyTransaction(sample(TransactionType.Reissue), rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset, balance: 605n },
        { address: alice, asset: null, balance: 999_900_000n },
      ],
      assetVolumes: [{ assetId: asset, reissuable: true, volume: 1005n }],
    });
  });

  it("may end reissues, and not allow them again", () => {
    const { snapshot } = applyTransaction(sample(TransactionType.Reissue, { reissuable: false }), rich(), context);
    expect(snapshot.assetVolumes).toEqual([{ assetId: asset, reissuable: false, volume: 1005n }]);
    const ended = rich().withAsset(asset, { issuer: keys.alice, reissuable: false });
    expect(violationOf(() => applyTransaction(sample(TransactionType.Reissue), ended, context))).toEqual({
      code: "assetNotReissuable",
      asset,
    });
  });

  it("of an ended asset passed until the last time-based fork, and left it ended", () => {
    const state = rich({ features: new Map([[4, 0]]), functionality: { lastTimeBasedForkParameter: now } });
    state.withAsset(asset, { issuer: keys.alice, reissuable: false, volume: 1000n });
    expect(applyTransaction(sample(TransactionType.Reissue), state, context).snapshot.assetVolumes).toEqual([
      { assetId: asset, reissuable: false, volume: 1005n },
    ]);
  });

  it("is allowed for the issuer only", () => {
    const state = rich().withAsset(asset, { issuer: keys.bob });
    expect(violationOf(() => applyTransaction(sample(TransactionType.Reissue), state, context))).toEqual({
      code: "assetOfOtherIssuer",
      asset,
      issuer: keys.bob,
    });
  });

  it("of an unknown asset is refused", () => {
    const unknown = assetId(99);
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Reissue, { asset: unknown }), rich(), context)),
    ).toEqual({
      code: "assetUnknown",
      asset: unknown,
    });
  });

  it("past 64 bits is refused from feature 5 on", () => {
    const state = rich().withAsset(asset, { issuer: keys.alice, volume: max - 4n });
    expect(violationOf(() => applyTransaction(sample(TransactionType.Reissue), state, context))).toEqual({
      code: "assetVolumeOverflow",
      asset,
      volume: max - 4n,
      quantity: 5n,
      limit: max,
    });
    const early = rich({ features: new Map([[4, 0]]) }).withAsset(asset, { issuer: keys.alice, volume: max - 4n });
    expect(applyTransaction(sample(TransactionType.Reissue), early, context).snapshot.assetVolumes?.[0]?.volume).toBe(
      max + 1n,
    );
  });
});

describe("burn", () => {
  it("takes from the volume and from the sender's balance", () => {
    expect(applyTransaction(sample(TransactionType.Burn), rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset, balance: 595n },
        { address: alice, asset: null, balance: 999_900_000n },
      ],
      assetVolumes: [{ assetId: asset, reissuable: true, volume: 995n }],
    });
  });

  it("of nothing takes the fee and lists the volume", () => {
    expect(applyTransaction(sample(TransactionType.Burn, { amount: 0n }), rich(), context).snapshot).toEqual({
      balances: [{ address: alice, asset: null, balance: 999_900_000n }],
      assetVolumes: [{ assetId: asset, reissuable: true, volume: 1000n }],
    });
  });

  it("of another's asset is refused before feature 6", () => {
    const others = (options: StateOptions = {}): InMemoryState => rich(options).withAsset(asset, { issuer: keys.bob });
    expect(applyTransaction(sample(TransactionType.Burn), others(), context).status).toBe("succeeded");
    const early = others({ features: new Map([[Feature.SmartAccounts as number, 0]]) });
    expect(violationOf(() => applyTransaction(sample(TransactionType.Burn), early, context)).code).toBe(
      "assetOfOtherIssuer",
    );
  });

  it("of more than the sender has is refused", () => {
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Burn, { amount: 601n }), rich(), context)),
    ).toEqual({
      code: "balancesInvalid",
      problems: [{ kind: "negativeAssets", account: alice, balances: [{ asset, balance: -1n }] }],
    });
  });
});

describe("sponsorship", () => {
  it("sets the price of a fee unit", () => {
    expect(applyTransaction(sample(TransactionType.SponsorFee), rich(), context).snapshot).toEqual({
      balances: [{ address: alice, asset: null, balance: 999_900_000n }],
      sponsorships: [{ assetId: asset, minSponsoredAssetFee: 7n }],
    });
  });

  it("without a price ends", () => {
    const { snapshot } = applyTransaction(
      sample(TransactionType.SponsorFee, { minSponsoredAssetFee: null }),
      rich(),
      context,
    );
    expect(snapshot.sponsorships).toEqual([{ assetId: asset, minSponsoredAssetFee: 0n }]);
  });

  it("of a scripted asset is refused", () => {
    const state = rich().withAsset(asset, { issuer: keys.alice, script });
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.SponsorFee, { fee: 500_000n }), state, context)),
    ).toEqual({
      code: "sponsorshipOfScriptedAsset",
      asset,
    });
  });
});

describe("update of asset info", () => {
  const spaced = (options: StateOptions = {}): InMemoryState =>
    rich({ ...options, functionality: { minAssetInfoUpdateInterval: 10 } });

  it("renames the asset", () => {
    expect(applyTransaction(sample(TransactionType.UpdateAssetInfo), spaced(), context).snapshot).toEqual({
      balances: [{ address: alice, asset: null, balance: 999_900_000n }],
      assetTexts: [
        {
          assetId: asset,
          name: new TextEncoder().encode("Renamed"),
          description: new TextEncoder().encode("Again"),
        },
      ],
    });
  });

  it("keeps a distance to the last one", () => {
    const state = spaced().withAsset(asset, { issuer: keys.alice, textHeight: 95 });
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.UpdateAssetInfo), state.moveTo(104), context)),
    ).toEqual({
      code: "assetInfoUpdateTooEarly",
      asset,
      height: 104,
      allowedHeight: 105,
      intervalBlocks: 10,
    });
    expect(applyTransaction(sample(TransactionType.UpdateAssetInfo), state.moveTo(105), context).status).toBe(
      "succeeded",
    );
  });

  it("has no minimum distance if the interval is the maximum: the sum wraps in 32 bits", () => {
    const state = rich({ functionality: { minAssetInfoUpdateInterval: 2_147_483_647 } });
    const { status } = applyTransaction(sample(TransactionType.UpdateAssetInfo), state, context);
    expect(status).toBe("succeeded");
  });

  it("pays in WAVES from feature 17 on", () => {
    const sponsored = assetId(2);
    const withSponsor = (options: StateOptions = {}): InMemoryState =>
      spaced(options)
        .withAsset(sponsored, { issuer: keys.bob, minSponsoredAssetFee: 50n })
        .withBalance(bob, 1_000_000n)
        .withBalance(alice, 100n, sponsored);
    const update = sample(TransactionType.UpdateAssetInfo, { feeAsset: sponsored, fee: 50n });
    expect(violationOf(() => applyTransaction(update, withSponsor(), context))).toEqual({
      code: "feeAssetNotWaves",
      asset: sponsored,
    });
    const features = new Map([
      [Feature.BlockV5 as number, 0],
      [Feature.FeeSponsorship, -100_000],
    ]);
    // Unlike with a transfer, the sponsor neither gets the asset nor pays for it here.
    expect(applyTransaction(update, withSponsor({ features }), context).snapshot.balances).toEqual([
      { address: alice, asset: sponsored, balance: 50n },
    ]);
  });

  it("is allowed for the issuer only", () => {
    const state = spaced().withAsset(asset, { issuer: keys.bob });
    expect(violationOf(() => applyTransaction(sample(TransactionType.UpdateAssetInfo), state, context)).code).toBe(
      "assetOfOtherIssuer",
    );
  });
});

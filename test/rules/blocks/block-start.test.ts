/** Gains at the start of a block: fees that are taken over, the reward, and one entry for each account and asset. */
import { describe, expect, test } from "vitest";
import { functionalityDefaults } from "../../../src/network/defaults.ts";
import { Feature } from "../../../src/network/features.ts";
import type { FunctionalitySettings } from "../../../src/network/settings.ts";
import type { Asset } from "../../../src/protocol/transactions/asset.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { type BlockStartOptions, blockStart, rewardsOf } from "../../../src/rules/blocks/block-start.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { addresses, assetId, sample } from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const { alice: generator, bob: dao, carol: buyback } = addresses;

interface Position {
  readonly features?: ReadonlyMap<number, number>;
  readonly functionality?: Partial<FunctionalitySettings>;
  readonly height?: number;
}

const transferOf = (fields: { readonly fee: bigint; readonly feeAsset?: Asset }) =>
  sample(TransactionType.Transfer, fields);

/** Overlay of the block at the height: its generator has 1,000 wavelets. */
function overlayOf({ height = 100, ...options }: Position): OverlayView {
  const state = new InMemoryState({ ...options, height: height - 1 }).withBalance(generator, 1_000n);
  return new OverlayView(state, { height });
}

function startOf(options: Partial<BlockStartOptions>, position: Position = {}) {
  const overlay = overlayOf(position);
  const none = { reward: undefined, transactions: [], parentCarryFee: 0n, parentTransactions: () => [], punished: [] };
  return blockStart({ overlay, generator, ...none, ...options });
}

/** NG from height 10 on; no sponsorship. */
const ng = new Map<number, number>([[Feature.Ng, 10]]);

describe("the generator's gains", () => {
  test("are the carry fee and its reward, in one entry", () => {
    const functionality = { ...functionalityDefaults, daoAddress: undefined, xtnBuybackAddress: undefined };
    const features = new Map<number, number>([
      [Feature.Ng, 1],
      [Feature.FeeSponsorship, -100_000],
      [Feature.BlockReward, 1],
    ]);
    const start = startOf({ parentCarryFee: 60n, reward: 600n }, { features, functionality });
    expect(start).toEqual({ balances: [{ address: generator, asset: null, balance: 1_660n }] });
  });

  test("leave no entry where they are zero", () => {
    expect(startOf({ parentCarryFee: 0n, reward: 0n })).toEqual({});
    expect(startOf({ parentCarryFee: 0n })).toEqual({});
  });

  test("are three fifths of the fees of the block before, each in its own asset, before sponsorship", () => {
    const fees: readonly (readonly [bigint, Asset])[] = [
      [100n, null],
      [50n, assetId(1)],
      [10n, assetId(2)],
      [5n, assetId(1)],
    ];
    const parentTransactions = () => fees.map(([fee, feeAsset]) => transferOf({ fee, feeAsset }));
    expect(startOf({ parentTransactions, parentCarryFee: 7n }, { features: ng }).balances).toEqual([
      { address: generator, asset: null, balance: 1_060n },
      { address: generator, asset: assetId(1), balance: 33n },
      { address: generator, asset: assetId(2), balance: 6n },
    ]);
  });

  test("are all fees of its own block before NG", () => {
    const transactions = [30n, 12n].map((fee) => transferOf({ fee }));
    const parentTransactions = () => [transferOf({ fee: 1_000n })];
    const start = startOf({ transactions, parentTransactions }, { features: ng, height: 10 });
    expect(start.balances).toEqual([{ address: generator, asset: null, balance: 1_042n }]);
  });
});

describe("a reward that is split", () => {
  const features = new Map<number, number>([
    [Feature.BlockReward, 1],
    [Feature.BlockRewardDistribution, 1],
  ]);
  const splitTo = (daoAddress: typeof dao, xtnBuybackAddress: typeof dao) => ({
    features,
    functionality: { daoAddress, xtnBuybackAddress },
  });

  test("has an entry for each recipient", () => {
    const balances = startOf({ reward: 900n }, splitTo(dao, buyback)).balances ?? [];
    expect(new Map(balances.map(({ address, balance }) => [address.join(), balance]))).toEqual(
      new Map([
        [generator.join(), 1_300n],
        [dao.join(), 300n],
        [buyback.join(), 300n],
      ]),
    );
  });

  test("has one entry for a generator that is the DAO as well", () => {
    const balances = startOf({ reward: 900n }, splitTo(generator, generator)).balances;
    expect(balances).toEqual([{ address: generator, asset: null, balance: 1_900n }]);
  });

  test("is listed by payouts, as responses show it", () => {
    const overlay = overlayOf(splitTo(dao, buyback));
    expect(rewardsOf({ overlay, generator, reward: 900n }).map(({ amount }) => amount)).toEqual([300n, 300n, 300n]);
    expect(rewardsOf({ overlay, generator, reward: undefined })).toEqual([]);
  });
});

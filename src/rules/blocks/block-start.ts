/**
 * Changes at the start of a block, before its first transaction: carried fees for the generator, the block reward,
 * burnt deposits, historical corrections of leases. Their state snapshot is the initial block snapshot.
 * @source docs/protocol/snapshots-and-state-hash.md 3.2; Waves: state/diffs/BlockDiffer.scala
 */
import { bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { mergeSnapshots } from "../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { sortedRewardShares } from "../consensus/reward-shares.ts";
import { commitmentDeposit } from "../finality/deposit.ts";
import type { OverlayView } from "../state/overlay-view.ts";
import { feesAtBlockStart } from "../transactions/fee-shares.ts";
import { leasePatches } from "../transactions/lease-patches.ts";
import { withBalanceChange } from "../transactions/portfolio.ts";

export interface BlockStartOptions {
  /** Overlay of the new block: nothing is applied to it yet. */
  readonly overlay: OverlayView;
  readonly generator: Address;
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
  readonly transactions: readonly Transaction[];
  /** Carry fee of the parent's transactions, wavelets. */
  readonly parentCarryFee: bigint;
  /** Read only between the activations of NG and of sponsorship, when shares are paid in the fee's own asset. */
  readonly parentTransactions: () => Iterable<Transaction>;
  /** Accounts with deposits to burn, for violations that the parent proves. */
  readonly punished: readonly Address[];
}

/** Gain of an account; below zero for burnt wavelets. */
interface Gain {
  readonly address: Address;
  readonly asset: Asset;
  readonly amount: bigint;
}

/** Initial block snapshot: one entry for each account with a gain; gains of zero have no entry. */
export function blockStart(options: BlockStartOptions): Snapshot {
  const { overlay, generator } = options;
  const patches = leasePatches(overlay);
  const fees = feesAtBlockStart({
    view: overlay,
    carry: options.parentCarryFee,
    previousTransactions: options.parentTransactions(),
    transactions: options.transactions,
  });
  const gains: Gain[] = fees.map(({ asset, amount }) => ({ address: generator, asset, amount }));
  for (const { address, amount } of rewardsOf(options)) gains.push({ address, asset: null, amount });
  for (const address of options.punished) gains.push({ address, asset: null, amount: -commitmentDeposit });
  let snapshot: Snapshot = {};
  for (const { address, asset, amount } of summed(gains))
    snapshot = withBalanceChange(snapshot, overlay, address, asset, amount);
  return mergeSnapshots(patches, snapshot);
}

/** Shares of the block reward, boost included, in the order of the addresses' bytes. */
export function rewardsOf({
  overlay,
  generator,
  reward,
}: Pick<BlockStartOptions, "overlay" | "generator" | "reward">): readonly { address: Address; amount: bigint }[] {
  if (reward === undefined) return [];
  return sortedRewardShares({
    height: overlay.height,
    reward,
    features: overlay,
    functionality: overlay.settings.functionality,
    generator,
  });
}

/** Sums the gains: one entry for each account and asset. */
function summed(gains: readonly Gain[]): Iterable<Gain> {
  const sums = new Map<string, Gain>();
  for (const gain of gains) {
    const key = bytesKey(gain.address) + (gain.asset === null ? "" : bytesKey(gain.asset));
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? gain : { ...sum, amount: sum.amount + gain.amount });
  }
  return sums.values();
}

/**
 * What happens at the start of a block, before its first transaction: fees that the generator takes over, the block
 * reward, deposits that are burnt, historical corrections of leases. Its change set is the initial block snapshot.
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

export interface BlockStartFacts {
  /** Overlay of the new block: nothing is applied to it yet. */
  readonly overlay: OverlayView;
  readonly generator: Address;
  /** Before boost; undefined before feature 14. */
  readonly reward: bigint | undefined;
  readonly transactions: readonly Transaction[];
  /** Sum of the parent's transactions, wavelets. */
  readonly parentCarryFee: bigint;
  /** Read only between the activations of NG and of sponsorship, when shares are paid in the fee's own asset. */
  readonly parentTransactions: () => Iterable<Transaction>;
  /** Whose deposits are burnt, for what the parent says of them. */
  readonly punished: readonly Address[];
}

/** Wavelets that are burnt are a gain below zero. */
interface Gain {
  readonly address: Address;
  readonly asset: Asset;
  readonly amount: bigint;
}

/** The initial block snapshot: one entry for each account that gets something; gains of zero leave none. */
export function blockStart(facts: BlockStartFacts): Snapshot {
  const { overlay, generator } = facts;
  const patches = leasePatches(overlay);
  const fees = feesAtBlockStart({
    view: overlay,
    carry: facts.parentCarryFee,
    previousTransactions: facts.parentTransactions(),
    transactions: facts.transactions,
  });
  const gains: Gain[] = fees.map(({ asset, amount }) => ({ address: generator, asset, amount }));
  for (const { address, amount } of rewardsOf(facts)) gains.push({ address, asset: null, amount });
  for (const address of facts.punished) gains.push({ address, asset: null, amount: -commitmentDeposit });
  let snapshot: Snapshot = {};
  for (const { address, asset, amount } of summed(gains))
    snapshot = withBalanceChange(snapshot, overlay, address, asset, amount);
  return mergeSnapshots(patches, snapshot);
}

/** Who gets which part of the block reward, boost included, in the order of the addresses' bytes. */
export function rewardsOf({
  overlay,
  generator,
  reward,
}: Pick<BlockStartFacts, "overlay" | "generator" | "reward">): readonly { address: Address; amount: bigint }[] {
  if (reward === undefined) return [];
  return sortedRewardShares({
    height: overlay.height,
    reward,
    features: overlay,
    functionality: overlay.settings.functionality,
    generator,
  });
}

/** One entry for each account and asset. */
function summed(gains: readonly Gain[]): Iterable<Gain> {
  const sums = new Map<string, Gain>();
  for (const gain of gains) {
    const key = bytesKey(gain.address) + (gain.asset === null ? "" : bytesKey(gain.asset));
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? gain : { ...sum, amount: sum.amount + gain.amount });
  }
  return sums.values();
}

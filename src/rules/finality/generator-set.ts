/**
 * Generators of a block with their weights: the accounts with a commitment to the period, in the order of the
 * commitments.
 * @source docs/protocol/consensus-and-finality.md 3.3; Waves 1.6: state/appender/package.scala
 * (findBlockAndGetGenerators)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { generatingBalanceWindow, requiredGeneratingBalance } from "../consensus/generating-balance.ts";
import type { StateView } from "../state/state-view.ts";
import type { Commitment, Conflicts } from "./commitment.ts";
import { generationPeriodAt } from "./generation-period.ts";

/** Generators of one block. */
export interface GeneratorSet {
  /** Commitments to the block's period, by index. */
  readonly committed: readonly Commitment[];
  /**
   * Weights by index: generating balances at the block's parent, wavelets. 0 for a generator that may not generate: its
   * balance is too low, or it has contradicted itself before this block.
   */
  readonly weights: readonly bigint[];
  /** Conflicts of the period before this block, with their heights. */
  readonly conflicts: Conflicts;
}

const noGenerators: GeneratorSet = { committed: [], weights: [], conflicts: new Map() };

/**
 * Generators of the block after a height, which is at most the view's tip. Constant for one block: micro-blocks have
 * the same ones. Cost: the balance of each member over its window.
 */
export function generatorsAfter(parentHeight: number, view: StateView): GeneratorSet {
  const period = generationPeriodAt(parentHeight + 1, view);
  if (period === undefined) return noGenerators;
  const committed = view.commitments(period.start);
  if (committed.length === 0) return noGenerators;
  const conflicts = new Map([...view.conflicts(period.start)].filter(([, height]) => height <= parentHeight));
  const weightOf = weighing(parentHeight, view);
  const weights = committed.map(({ index, address }) => (conflicts.has(index) ? 0n : weightOf(address)));
  return { committed, weights, conflicts };
}

/** Returns the function for an account's weight in the set of the block after the height. */
function weighing(parentHeight: number, view: StateView): (address: Address) => bigint {
  const { functionality } = view.settings;
  const { from, to } = generatingBalanceWindow({ parentHeight, features: view, functionality });
  const required = requiredGeneratingBalance(parentHeight, view);
  return (address) => {
    const balance = view.minimumEffectiveBalance(address, from, to);
    return balance >= required ? balance : 0n;
  };
}

/** Members that may generate. If there are none, any account with enough balance may, as before the feature. */
export function allowedGenerators({ committed, weights }: GeneratorSet): readonly Commitment[] {
  return committed.filter(({ index }) => (weights[index] as bigint) > 0n);
}

/** Index of the account among the members that may generate; undefined if it is not one of them. */
export function findGenerator({ committed, weights }: GeneratorSet, address: Address): number | undefined {
  // PERF: compares bytes only for members with weight.
  const found = committed.find(
    (member) => (weights[member.index] as bigint) > 0n && equalBytes(member.address, address),
  );
  return found?.index;
}

/**
 * Whether commitments allow the account to generate the block after the view's tip. Weighs the whole set only for an
 * account without a valid commitment.
 */
export function mayGenerateNext(view: StateView, address: Address): boolean {
  const period = generationPeriodAt(view.height + 1, view);
  if (period === undefined) return true;
  const conflicts = view.conflicts(period.start);
  const weightOf = weighing(view.height, view);
  const counts = (member: Commitment): boolean => !conflicts.has(member.index) && weightOf(member.address) > 0n;
  const own = view.findCommitment(period.start, address);
  if (own !== undefined && counts(own)) return true;
  return !view.commitments(period.start).some(counts);
}

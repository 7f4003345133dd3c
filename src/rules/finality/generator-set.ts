/**
 * Who may generate a block, and with what weight: who has committed to the period, in the order of the commitments.
 * @source docs/protocol/consensus-and-finality.md 3.3; Waves 1.6: state/appender/package.scala
 *   (findBlockAndGetGenerators)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { generatingBalanceWindow, requiredGeneratingBalance } from "../consensus/generating-balance.ts";
import type { StateView } from "../state/state-view.ts";
import type { Commitment, Conflicts } from "./commitment.ts";
import { generationPeriodAt } from "./generation-period.ts";

/** The generators of one block. */
export interface GeneratorSet {
  /** Everybody who has committed to the block's period, by index. */
  readonly committed: readonly Commitment[];
  /**
   * What each of them counts, by index: its generating balance at the block's parent, wavelets. 0 where it may not generate:
   * it has too little, or it has contradicted itself before this block.
   */
  readonly weights: readonly bigint[];
  /** Of the period: who has contradicted itself before this block, with the heights. */
  readonly conflicts: Conflicts;
}

const nobody: GeneratorSet = { committed: [], weights: [], conflicts: new Map() };

/**
 * The generators of the block after the one at a height, which is the view's tip or below it.
 * Cost: the balance of each member over its window. For one block they never change: micro-blocks ask for the same ones.
 */
export function generatorsAfter(parentHeight: number, view: StateView): GeneratorSet {
  const period = generationPeriodAt(parentHeight + 1, view);
  if (period === undefined) return nobody;
  const committed = view.commitments(period.start);
  if (committed.length === 0) return nobody;
  const conflicts = new Map([...view.conflicts(period.start)].filter(([, height]) => height <= parentHeight));
  const weighed = weighing(parentHeight, view);
  const weights = committed.map(({ index, address }) => (conflicts.has(index) ? 0n : weighed(address)));
  return { committed, weights, conflicts };
}

/** What an account counts as a member of the set of the block after the height. */
function weighing(parentHeight: number, view: StateView): (address: Address) => bigint {
  const { functionality } = view.settings;
  const { from, to } = generatingBalanceWindow({ parentHeight, features: view, functionality });
  const required = requiredGeneratingBalance(parentHeight, view);
  return (address) => {
    const balance = view.minimumEffectiveBalance(address, from, to);
    return balance >= required ? balance : 0n;
  };
}

/** Those that may generate. Where there are none, everybody with enough balance does, as before the feature. */
export function allowedGenerators({ committed, weights }: GeneratorSet): readonly Commitment[] {
  return committed.filter(({ index }) => (weights[index] as bigint) > 0n);
}

/** The account's index among those that may generate; undefined where it is none of them. */
export function findGenerator({ committed, weights }: GeneratorSet, address: Address): number | undefined {
  // PERF: compared by bytes only where it would count.
  const found = committed.find(
    (member) => (weights[member.index] as bigint) > 0n && equalBytes(member.address, address),
  );
  return found?.index;
}

/**
 * Whether the account may generate the block after the view's tip, as far as commitments go. Weighs the whole set only where the
 * account is none of it.
 */
export function mayGenerateNext(view: StateView, address: Address): boolean {
  const period = generationPeriodAt(view.height + 1, view);
  if (period === undefined) return true;
  const conflicts = view.conflicts(period.start);
  const weighed = weighing(view.height, view);
  const counts = (member: Commitment): boolean => !conflicts.has(member.index) && weighed(member.address) > 0n;
  const own = view.findCommitment(period.start, address);
  if (own !== undefined && counts(own)) return true;
  return !view.commitments(period.start).some(counts);
}

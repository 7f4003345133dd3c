/**
 * Differences of the Go node that made the recordings from the reference, which this node follows: each by its rule,
 * with the values that the reference would have recorded.
 * @source docs/protocol/consensus-and-finality.md 3.15; recordings finality-a (README), gowaves: pkg/state
 */
import type { FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { commitmentDeposit } from "../../../src/rules/finality/deposit.ts";
import type {
  FinalityRecording,
  RecordedBalances,
  RecordedGenerator,
  RecordedHeight,
  RecordedState,
  RecordedVoting,
} from "./recorded-chain.ts";

/**
 * Row 1 of the table: the Go node counts only when a block carries a voting. The reference counts in every block that
 * has a generator set, so that a generator with two thirds of the balance finalizes the parent alone.
 * @param heights from height 1 on
 * @returns finalized height by the reference at each of them, in order
 */
export function finalizedByReference(heights: readonly RecordedHeight[]): readonly number[] {
  let before = 1;
  let pending = 1;
  return heights.map((recorded) => {
    before = Math.max(before, pending, recorded.height - 100);
    pending = isParentFinalized(recorded) ? recorded.height - 1 : 1;
    return before;
  });
}

function isParentFinalized({ generators, generator, finalizationVoting }: RecordedHeight): boolean {
  const endorsers = new Set(finalizationVoting?.endorserIndexes);
  const sum = (list: readonly RecordedGenerator[]) => list.reduce((total, { balance }) => total + BigInt(balance), 0n);
  const total = sum(generators);
  const endorsed = sum(generators.filter(({ index, address }) => endorsers.has(index) || address === generator));
  return total > 0n && 3n * endorsed >= 2n * total;
}

/**
 * Account whose deposit the Go node keeps forever: it is banned in the last block of a period, and the next one has a
 * set.
 */
export interface LostDeposit {
  readonly address: string;
  /** First height of the difference. */
  readonly from: number;
}

/** @param heights from height 1 on */
export function lostDeposits(heights: readonly RecordedHeight[]): readonly LostDeposit[] {
  return heights.flatMap(({ height, generators, nextPeriodStart }) => {
    const hasNextSet = (heights[height]?.generators.length ?? 0) > 0;
    if (height + 1 !== nextPeriodStart || !hasNextSet) return [];
    return generators
      .filter(({ conflictHeight }) => conflictHeight === height)
      .map(({ address }) => ({ address, from: height + 1 }));
  });
}

/**
 * Balances of an account by the reference, from those of the Go node. The generating balance stays as it is if an
 * earlier height of the window is lower, as it is in these recordings.
 */
function withoutLostDeposits(balances: RecordedBalances, count: number): RecordedBalances {
  const more = commitmentDeposit * BigInt(count);
  return {
    ...balances,
    available: String(BigInt(balances.available) + more),
    effective: String(BigInt(balances.effective) + more),
  };
}

/**
 * The Go node counts the balance of an account outside the genesis block from its first coins on. The reference counts
 * it after a whole window, which none of these chains outgrows.
 */
function withoutEarlyBalance(balances: RecordedBalances, isOfGenesis: boolean): RecordedBalances {
  return isOfGenesis ? balances : { ...balances, generating: "0" };
}

/** Recorded balances by name of account, converted to those of the reference. */
export function balancesByReference(
  { balances, height }: Pick<RecordedState, "balances" | "height">,
  { heights, accounts }: Pick<FinalityRecording, "heights" | "accounts">,
): RecordedState["balances"] {
  const lost = lostDeposits(heights).filter(({ from }) => from <= height);
  const addresses = new Map(accounts.map(({ name, address }) => [name, address]));
  const ofGenesis = heights[0]?.balances ?? {};
  const entries = Object.entries(balances).map(([name, recorded]) => {
    const count = lost.filter(({ address }) => address === addresses.get(name)).length;
    return [name, withoutEarlyBalance(withoutLostDeposits(recorded, count), (ofGenesis[name]?.regular ?? "0") !== "0")];
  });
  return Object.fromEntries(entries);
}

/** Reasons of the reference to refuse a voting that the Go node accepts. */
export type VotingDeparture =
  /** The Go node accepts a voting without any endorsement, if there is a generator set. */
  | "neither valid nor conflicting endorsements"
  /** It accepts the parent as final by its own endorsements. */
  | "finalized height of the parent"
  /** Row 3 of the table: with conflicting endorsements alone, it has none, and the reference has at least 1. */
  | "conflicting endorsements without a finalized height";

/** @param height of the block */
export function votingDeparture(
  voting: FinalizationVoting | RecordedVoting | undefined,
  height: number,
): VotingDeparture | undefined {
  if (voting === undefined) return undefined;
  const { endorserIndexes = [], conflictEndorsements = [], finalizedHeight = 0 } = voting;
  if (endorserIndexes.length === 0 && conflictEndorsements.length === 0)
    return "neither valid nor conflicting endorsements";
  if (finalizedHeight >= height - 1) return "finalized height of the parent";
  if (endorserIndexes.length === 0 && finalizedHeight < 1) return "conflicting endorsements without a finalized height";
  return undefined;
}

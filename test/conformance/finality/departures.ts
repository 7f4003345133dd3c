/**
 * Differences between the Go node that made the recordings and the reference, which this node follows: each by its
 * rule, with the contents that recordings of the reference would have.
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
 * Row 1 of the table: the Go node counts votes only if a block carries a voting. The reference counts in every block
 * with a generator set, and a generator with two thirds of the balance finalizes the parent alone.
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
 * Account whose deposit the Go node locks forever: it is banned in the last block of a period, and the next one has a
 * set.
 */
export interface LostDeposit {
  readonly address: string;
  /** First height. */
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
 * Balances of an account by the reference, from the Go node's. The generating balance does not change if an earlier
 * height of the window is lower, as in these recordings.
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
 * Balances without early generating balances. For an account without a balance in the genesis block the Go node counts
 * it from its first coins on, the reference only after a whole window, which is longer than these chains.
 */
function withoutEarlyBalance(balances: RecordedBalances, isOfGenesis: boolean): RecordedBalances {
  return isOfGenesis ? balances : { ...balances, generating: "0" };
}

/** Recorded balances by name of account, as the reference would have recorded them. */
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

/** Reason why the reference refuses a voting that the Go node accepts. */
export type VotingDeparture =
  /** The Go node accepts a voting without any endorsement if there is a generator set. */
  | "neither valid nor conflicting endorsements"
  /** It accepts the parent as the final block in endorsements of the parent itself. */
  | "finalized height of the parent"
  /**
   * Row 3 of the table: with only conflicting endorsements it has no finalized height; the reference has at least 1.
   */
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

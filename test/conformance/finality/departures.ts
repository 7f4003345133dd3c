/**
 * Where the Go node that made the recordings and the reference differ, and the reference is followed: each by its rule, with what
 * the recordings would hold had the reference made them.
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
 * Row 1 of the table: the Go node counts only where a block carries a voting; the reference counts in every block that has a
 * generator set, so that a generator with two thirds of the balance finalizes the parent alone.
 * @param heights from height 1 on
 * @returns the finalized height by the reference at each of them, in their order
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

/** An account whose deposit the Go node keeps for ever: it is banned in the last block of a period, and the next one has a set. */
export interface LostDeposit {
  readonly address: string;
  /** From this height on. */
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
 * What an account has by the reference, of what the Go node shows. The generating balance stays as it is where an earlier
 * height of the window is lower, as it is in these recordings.
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
 * The Go node counts the balance of an account that had none in the genesis block from its first coins on, the reference once it
 * has had something for the whole window, which none of these chains outgrows.
 */
function withoutEarlyBalance(balances: RecordedBalances, isOfGenesis: boolean): RecordedBalances {
  return isOfGenesis ? balances : { ...balances, generating: "0" };
}

/** Recorded balances by name of account, as they would be had the reference made them. */
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

/** Why the reference refuses a voting that the Go node takes. */
export type VotingDeparture =
  /** The Go node takes a voting without any endorsement, where there is a generator set. */
  | "neither valid nor conflicting endorsements"
  /** It lets the parent be named as final by its own endorsements. */
  | "finalized height of the parent"
  /** Row 3 of the table: where there are only conflicting endorsements, it has none, and the reference has 1 at least. */
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

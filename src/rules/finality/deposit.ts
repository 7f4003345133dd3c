/**
 * Deposits: 100 WAVES for each commitment, kept back while it lasts. No balance changes when they are taken or returned:
 * they follow from the commitments.
 * @source docs/protocol/consensus-and-finality.md 3.9; Waves 1.6: state/Blockchain.scala (generationDeposit),
 *   database/RocksDBWriter.scala (collectGenerationDepositChanges)
 */
import type { Address } from "../../crypto/identities.ts";
import type { DepositStep } from "../consensus/generating-balance.ts";
import type { StateView } from "../state/state-view.ts";
import { generationPeriodAt } from "./generation-period.ts";

/** What a commitment keeps back, wavelets. */
export const commitmentDeposit = 10_000_000_000n;

/** Heights at which one deposit is kept back; both ends belong to it. */
export interface DepositSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * How long a commitment keeps its deposit back: from its block on, to the end of its period. Where the generator contradicts
 * itself, the deposit is gone from the block after on, in whose start it is taken for good.
 * @param conflictHeight of the block that carried the conflict
 */
export function depositSpan(facts: {
  readonly height: number;
  readonly periodEnd: number;
  readonly conflictHeight: number | undefined;
}): DepositSpan {
  const { height, periodEnd, conflictHeight = periodEnd } = facts;
  return { from: height, to: Math.min(periodEnd, conflictHeight) };
}

/** Where the sum of what is kept back changes, oldest first. @param spans in any order, those of one account */
export function depositSteps(spans: readonly DepositSpan[]): readonly DepositStep[] {
  const changes = new Map<number, bigint>();
  const change = (height: number, amount: bigint): void => {
    changes.set(height, (changes.get(height) ?? 0n) + amount);
  };
  for (const { from, to } of spans) {
    change(from, commitmentDeposit);
    change(to + 1, -commitmentDeposit);
  }
  let deposit = 0n;
  return [...changes]
    .sort(([left], [right]) => left - right)
    .map(([height, amount]) => {
      deposit += amount;
      return { height, deposit };
    });
}

/**
 * What is kept back of the account's own balance, wavelets.
 * @param height not below the view's: nobody commits himself in blocks that are still to come
 */
export function depositOf(address: Address, view: DepositView, height = view.height): bigint {
  const current = generationPeriodAt(height, view);
  if (current === undefined) return 0n;
  const next = generationPeriodAt(current.end + 1, view);
  const isCommittedNext = next !== undefined && view.findCommitment(next.start, address) !== undefined;
  const count = (isDepositKept(address, current.start, height, view) ? 1n : 0n) + (isCommittedNext ? 1n : 0n);
  return count * commitmentDeposit;
}

/** What deposits depend on. */
export type DepositView = Pick<StateView, "height" | "activationHeight" | "settings" | "findCommitment" | "conflicts">;

function isDepositKept(address: Address, periodStart: number, height: number, view: DepositView): boolean {
  const commitment = view.findCommitment(periodStart, address);
  if (commitment === undefined) return false;
  const conflictHeight = view.conflicts(periodStart).get(commitment.index);
  return conflictHeight === undefined || height <= conflictHeight;
}

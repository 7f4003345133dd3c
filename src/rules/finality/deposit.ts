/**
 * Deposits: 100 WAVES for each commitment, kept back while it lasts. No balance changes when they are taken or returned:
 * they follow from the commitments.
 * @source spec/consensus-and-finality.md 3.9; Waves 1.6: state/Blockchain.scala (generationDeposit),
 *   database/RocksDBWriter.scala (collectGenerationDepositChanges)
 */
import type { Address } from "../../crypto/identities.ts";
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

/** What is kept back of the account's own balance at the view's height, wavelets. */
export function depositOf(address: Address, view: StateView): bigint {
  const current = generationPeriodAt(view.height, view);
  if (current === undefined) return 0n;
  const next = generationPeriodAt(current.end + 1, view);
  const isCommittedNext = next !== undefined && view.findCommitment(next.start, address) !== undefined;
  const count = (isDepositKept(address, current.start, view) ? 1n : 0n) + (isCommittedNext ? 1n : 0n);
  return count * commitmentDeposit;
}

function isDepositKept(address: Address, periodStart: number, view: StateView): boolean {
  const commitment = view.findCommitment(periodStart, address);
  if (commitment === undefined) return false;
  const conflictHeight = view.conflicts(periodStart).get(commitment.index);
  return conflictHeight === undefined || view.height <= conflictHeight;
}

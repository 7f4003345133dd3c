/**
 * Deposits: 100 WAVES for each commitment, locked while it lasts. No balance changes when they are locked or released:
 * they follow from the commitments.
 * @source docs/protocol/consensus-and-finality.md 3.9; Waves 1.6: state/Blockchain.scala (generationDeposit),
 * database/RocksDBWriter.scala (collectGenerationDepositChanges)
 */
import type { Address } from "../../crypto/identities.ts";
import type { DepositStep } from "../consensus/generating-balance.ts";
import type { StateView } from "../state/state-view.ts";
import { generationPeriodAt } from "./generation-period.ts";

/** Deposit of one commitment, wavelets. */
export const commitmentDeposit = 10_000_000_000n;

/** Heights at which one deposit is locked, both inclusive. */
export interface DepositSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Duration of a deposit: from the commitment's block to the end of its period. If the generator contradicts itself, the
 * deposit ends with the block that carries the conflict; the start of the next block burns it.
 * @param conflictHeight of the block that carried the conflict
 */
export function depositSpan(options: {
  readonly height: number;
  readonly periodEnd: number;
  readonly conflictHeight: number | undefined;
}): DepositSpan {
  const { height, periodEnd, conflictHeight = periodEnd } = options;
  return { from: height, to: Math.min(periodEnd, conflictHeight) };
}

/** Changes of the sum of deposits, oldest first. @param spans of one account, in any order */
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
 * Sum of the account's locked deposits, wavelets.
 * @param height not below the view's: future blocks have no known commitments
 */
export function depositOf(address: Address, view: DepositView, height = view.height): bigint {
  const current = generationPeriodAt(height, view);
  if (current === undefined) return 0n;
  const next = generationPeriodAt(current.end + 1, view);
  const isCommittedNext = next !== undefined && view.findCommitment(next.start, address) !== undefined;
  const count = (isDepositLocked(address, current.start, height, view) ? 1n : 0n) + (isCommittedNext ? 1n : 0n);
  return count * commitmentDeposit;
}

/** State on which deposits depend. */
export type DepositView = Pick<StateView, "height" | "activationHeight" | "settings" | "findCommitment" | "conflicts">;

function isDepositLocked(address: Address, periodStart: number, height: number, view: DepositView): boolean {
  const commitment = view.findCommitment(periodStart, address);
  if (commitment === undefined) return false;
  const conflictHeight = view.conflicts(periodStart).get(commitment.index);
  return conflictHeight === undefined || height <= conflictHeight;
}

/** What a transaction is checked against beside the state: the block it is put into. */
import type { Address } from "../../crypto/identities.ts";
import type { TraceStep } from "./scripts/trace.ts";

/**
 * How far scripts run, and what becomes of a transaction whose scripts fail.
 * - `whole`: to their end; such a transaction is placed as failed, where the features allow that.
 * - `strict`: to their end; such a transaction is refused.
 * - `limited`: as far as a failure could still refuse the transaction; one that goes further is taken, for now.
 */
export type Execution = "whole" | "strict" | "limited";

/** What judging a transaction has run so far, for whoever gives the time for it. */
export interface Effort {
  /** Whether any signature or script was looked at: what its fields and balances forbid comes before. */
  hasRun: boolean;
  /** Of the scripts that have run: verifiers, and what was called. */
  complexity: number;
}

export interface BlockContext {
  /** Milliseconds; undefined for the genesis block. */
  readonly previousBlockTimestamp: bigint | undefined;
  /** Milliseconds; for the pool the time now. */
  readonly blockTimestamp: bigint;
  readonly blockGenerator: Address;
  /** False where the signatures were verified before, in one batch. How many there are is checked all the same. */
  readonly verifySignatures: boolean;
  /** Default: `whole`. */
  readonly execution?: Execution;
  /** Gets a step for each script that runs, with what it computed. Left out where nobody asks: logs cost time. */
  readonly trace?: TraceStep[];
  /** Follows what is run, also of a transaction that is then refused. */
  readonly effort?: Effort | undefined;
}

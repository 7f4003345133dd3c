/** What a transaction is checked against beside the state: the block it is put into. */
import type { Address } from "../../crypto/identities.ts";
import type { RuleError } from "../../protocol/faults.ts";
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
  /** The transaction was refused as one before it was, and nothing but its verifier has run for that. */
  isKnownRefusal?: boolean;
}

/** Refusals on one state of transactions that asked for the same (`likenessOf`). */
export interface KnownRefusals {
  find(likeness: string): RuleError | undefined;
  add(likeness: string, refusal: RuleError): void;
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
  /** Those of the state on which the transaction is judged; undefined: its scripts run. Not to be given with a trace. */
  readonly refusals?: KnownRefusals | undefined;
}

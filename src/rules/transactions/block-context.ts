/** Context of the block for the checks of a transaction. */
import type { Address } from "../../crypto/identities.ts";
import type { RuleError } from "../../protocol/errors.ts";
import type { TraceStep } from "./scripts/trace.ts";

/**
 * Extent to which scripts run, and the treatment of a transaction whose scripts fail.
 * - `whole`: to their end; such a transaction is included as failed if the features allow it.
 * - `strict`: to their end; such a transaction is refused.
 * - `limited`: while a failure can still refuse the transaction; one that goes further is accepted, for now.
 */
export type Execution = "whole" | "strict" | "limited";

/** Effort of executing a transaction so far, for the owner of the time budget. */
export interface Effort {
  /** Whether any signature or script was checked: errors of fields and balances come first. */
  hasRun: boolean;
  /** Complexity of the executed scripts: verifiers, and called functions. */
  complexity: number;
  /** The transaction was refused like an earlier one, and only its verifier has run. */
  isKnownRefusal?: boolean;
}

/** Refusals on one state, by the likeness of their transactions (`likenessOf`). */
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
  /** False when the signatures were verified before, in one batch. Their number is checked in any case. */
  readonly verifySignatures: boolean;
  /** Default: `whole`. */
  readonly execution?: Execution;
  /** Receives a step for each executed script, with its computed values. Omit it if not needed: logs cost time. */
  readonly trace?: TraceStep[];
  /** Records the effort, also for a refused transaction. */
  readonly effort?: Effort | undefined;
  /** Refusals on the state of the execution; undefined: scripts always run. Not allowed with a trace. */
  readonly refusals?: KnownRefusals | undefined;
}

/** Context that all calls of a transaction share. */
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";

export interface CallContext {
  /** The transaction's own call. */
  readonly root: ScriptInvoke;
  /** Library version of the dApp that the transaction calls. */
  readonly rootVersion: number;
  /**
   * Whether scripts run only while a failure could refuse the transaction; later parts count as valid. The pool
   * validates transactions this way.
   */
  readonly isLimited: boolean;
  /** Complexity limit of all scripts together. */
  readonly totalComplexityLimit: number;
  readonly isLogged: boolean;
  /** Remaining complexity of the scripts so far. Omit it if not needed. */
  readonly remaining?: RemainingComplexity;
}

/** Record of the complexity that the calls of one transaction have not spent, whatever their result. */
export interface RemainingComplexity {
  /** Minimum at the end of any script; undefined if none has run. */
  least: number | undefined;
}

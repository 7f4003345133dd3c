/** What holds for all calls of a transaction. */
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";

export interface CallContext {
  /** The transaction's own call. */
  readonly root: ScriptInvoke;
  /** Library version of the dApp that the transaction calls. */
  readonly rootVersion: number;
  /**
   * Whether scripts run only as far as a failure could refuse the transaction: what goes on beyond is taken to be well.
   * That is how the pool looks at transactions.
   */
  readonly isLimited: boolean;
  /** What all scripts may spend together. */
  readonly totalComplexityLimit: number;
  readonly isLogged: boolean;
  /** What the scripts have left so far of what they may spend. Left out: nobody asks. */
  readonly left?: LeftComplexity;
}

/** Follows the calls of one transaction: whatever becomes of them, this is what they have not spent. */
export interface LeftComplexity {
  /** At the end of some script; undefined: none has run. */
  least: number | undefined;
}

/** Execution of a block's transactions by the rules, in one call or in several. */
import type { ScriptWork } from "../../ride/evaluator/script-work.ts";
import { type PlaceTransaction, placing, type TransactionHandling } from "./apply-block.ts";
import { type JudgingWay, RepeatableWays } from "./execution-variants.ts";

export interface BlockJudging {
  /** Execution variants in which the block may be valid; the same ones on each iteration. */
  readonly ways: RepeatableWays;
  /** @param elides as for `placing` of `apply-block.ts` */
  placing(way: JudgingWay, handling: TransactionHandling, elides?: boolean): PlaceTransaction;
}

/** Block validation in work slices: a call ends after its slice, and the next call continues. */
export interface PortionedJudging {
  /** Work of this call. */
  readonly work: ScriptWork;
  /**
   * @param id of the block; for a micro-block also the id before it
   * @param ownsTransactions as for `judgingWays`
   */
  of(id: Uint8Array, ownsTransactions: boolean): BlockJudging;
  /** @param validate decides whether the challenge is justified; not run again once it has returned */
  justify(id: Uint8Array, validate: (validation: BlockJudging) => void): void;
  /** Marks a block as validated to its end: later calls do not execute it again. @param sizeBytes of the block */
  finished(sizeBytes: number): void;
  /** Call it before each further block. Throws to end the call. */
  expectRoom(): void;
}

export function judgingInOneGo(ownsTransactions: boolean): BlockJudging {
  return {
    ways: new RepeatableWays(ownsTransactions),
    placing: (way, handling, elides) => placing({ ...handling, ...way }, elides),
  };
}

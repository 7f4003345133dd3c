/** Execution of a block's transactions by the rules, in one call or in several. */
import type { ScriptWork } from "../../ride/evaluator/script-work.ts";
import { type IncludeTransaction, includerOf, type TransactionHandling } from "./apply-block.ts";
import { type ExecutionVariant, RepeatableVariants } from "./execution-variants.ts";

export interface BlockValidation {
  /** Execution variants in which the block may be valid; the same ones on each iteration. */
  readonly variants: RepeatableVariants;
  /** @param elides as for `placing` of `apply-block.ts` */
  includerOf(way: ExecutionVariant, handling: TransactionHandling, elides?: boolean): IncludeTransaction;
}

/** Block validation in work slices: a call ends after its slice, and the next call continues. */
export interface SlicedValidation {
  /** Work of this call. */
  readonly work: ScriptWork;
  /**
   * @param id of the block; for a micro-block also the id before it
   * @param ownsTransactions as for `executionVariants`
   */
  validationOf(id: Uint8Array, ownsTransactions: boolean): BlockValidation;
  /** @param validate decides whether the challenge is justified; not run again once it has returned */
  justify(id: Uint8Array, validate: (validation: BlockValidation) => void): void;
  /** Marks a block as validated to its end: later calls do not execute it again. @param sizeBytes of the block */
  finished(sizeBytes: number): void;
  /** Call it before each further block. Throws to end the call. */
  assertBudget(): void;
}

export function singleCallValidation(ownsTransactions: boolean): BlockValidation {
  return {
    variants: new RepeatableVariants(ownsTransactions),
    includerOf: (way, handling, elides) => includerOf({ ...handling, ...way }, elides),
  };
}

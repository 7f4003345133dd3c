/**
 * Cost of scripts in one packing, which bounds it: ChainState does nothing else meanwhile, and a clock cannot bound it,
 * since on Cloudflare time does not advance while a Worker computes.
 */
import type { RuleError } from "../../../src/protocol/errors.ts";
import { newestLibraryVersion } from "../../../src/protocol/transactions/library-versions.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import type { BlockRun } from "../../../src/rules/blocks/block-run.ts";
import type { Effort } from "../../../src/rules/transactions/block-context.ts";
import { FailedTransaction } from "../../../src/rules/transactions/failed-transaction.ts";
import { maxTotalComplexity } from "../../../src/rules/transactions/invoke/limits.ts";
import type { PoolEntry } from "./pool-entry.ts";

/**
 * Complexity of one packing. A block has room for 2,500,000, more than filled by a minute of micro-blocks every 2 s.
 */
export const PACK_COMPLEXITY = 200_000n;
/** Complexity counted for a transaction that its fields or balances forbid: no script runs for that. */
export const FORBIDDEN_COMPLEXITY = 20n;
/** Complexity counted for a later refusal without a known cost: signatures, a verifier, an asset script. */
const REFUSED_COMPLEXITY = 500n;
/** Complexity counted for a refusal by a script. */
const REFUSED_BY_SCRIPT_COMPLEXITY = 4_000n;
/** Complexity counted for a call refused for its result or its work: it may have run to its end. */
const REFUSED_CALL_COMPLEXITY = BigInt(maxTotalComplexity(newestLibraryVersion));

/** Complexity counted for a refused transaction. The real one may be less, and in rare cases more. */
export function refusedComplexity(refusal: RuleError | WorkRefused, effort: Effort): bigint {
  if (!effort.hasRun) return FORBIDDEN_COMPLEXITY;
  if (effort.isKnownRefusal) return FORBIDDEN_COMPLEXITY + BigInt(effort.complexity);
  const known = BigInt(effort.complexity);
  const guess = guessOf(refusal);
  return known > guess ? known : guess;
}

/**
 * Complexity of a transaction that ran to its end and has no room left in the block; undefined: it was refused for
 * another reason.
 * @param before complexity of all scripts of the block without the transaction
 */
export function deferredComplexity({ violation }: RuleError, before: bigint): bigint | undefined {
  return violation.code === "blockLimitExceeded" && violation.limit === "complexity of all scripts"
    ? violation.got - before
    : undefined;
}

/** Complexity counted for a transaction that a challenging block elides. @param run before the transaction */
export function elidedComplexity(refusal: RuleError, effort: Effort, run: BlockRun): bigint {
  return deferredComplexity(refusal, run.usage.scriptComplexity) ?? refusedComplexity(refusal, effort);
}

/** Estimate for a refusal whose scripts did not run to their end. */
function guessOf(refusal: RuleError | WorkRefused): bigint {
  if (refusal instanceof WorkRefused) return REFUSED_CALL_COMPLEXITY;
  const { violation, cause } = refusal;
  if (cause instanceof FailedTransaction)
    return BigInt(Math.max(cause.info.spentComplexity, Number(REFUSED_COMPLEXITY)));
  switch (violation.code) {
    case "callBreaksRule":
      return REFUSED_CALL_COMPLEXITY;
    case "scriptRefused":
    case "scriptFailed":
      return REFUSED_BY_SCRIPT_COMPLEXITY;
    default:
      return REFUSED_COMPLEXITY;
  }
}

/** Script complexities of transactions that did not fit into a block: they are not run again before there is room. */
export class DeferredTransactions {
  readonly #complexities = new WeakMap<PoolEntry, bigint>();

  put(entry: PoolEntry, complexity: bigint): void {
    this.#complexities.set(entry, complexity);
  }

  /** 0 for an unknown transaction. */
  complexityOf(entry: PoolEntry): bigint {
    return this.#complexities.get(entry) ?? 0n;
  }
}

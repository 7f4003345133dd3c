/**
 * What scripts have cost in one packing, so that it ends: ChainState does nothing else meanwhile, and no clock can tell,
 * since on Cloudflare time stands still while a Worker computes.
 */
import type { RuleError } from "../../../src/protocol/errors.ts";
import { newestLibraryVersion } from "../../../src/protocol/transactions/library-versions.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import type { BlockRun } from "../../../src/rules/blocks/block-run.ts";
import type { Effort } from "../../../src/rules/transactions/block-context.ts";
import { FailedTransaction } from "../../../src/rules/transactions/failed-transaction.ts";
import { maxTotalComplexity } from "../../../src/rules/transactions/invoke/limits.ts";
import type { PoolEntry } from "./pool-entry.ts";

/** A block has room for 2,500,000: in a minute of micro-blocks every two seconds there is more than enough for it. */
export const PACK_COMPLEXITY = 200_000n;
/** Counts for a transaction that its fields or balances forbid: no script is run to find that out. */
export const FORBIDDEN_COMPLEXITY = 20n;
/** Counts for one that is refused later without saying why: signatures, a verifier, a script of an asset. */
const REFUSED_COMPLEXITY = 500n;
/** The same where a script said no. */
const REFUSED_BY_SCRIPT_COMPLEXITY = 4_000n;
/** A call that is refused for what it came to, or for work that it asks for, may have run to its end. */
const REFUSED_CALL_COMPLEXITY = BigInt(maxTotalComplexity(newestLibraryVersion));

/** What a refused transaction counts for. What it ran may be less, and in rare cases more. */
export function refusedComplexity(refusal: RuleError | WorkRefused, effort: Effort): bigint {
  if (!effort.hasRun) return FORBIDDEN_COMPLEXITY;
  if (effort.isKnownRefusal) return FORBIDDEN_COMPLEXITY + BigInt(effort.complexity);
  const known = BigInt(effort.complexity);
  const guess = guessOf(refusal);
  return known > guess ? known : guess;
}

/**
 * What a transaction cost that was run to its end and for which the block has no room left; undefined: that is not what it was
 * refused for.
 * @param before what all scripts of the block cost without it
 */
export function unfitComplexity({ fault }: RuleError, before: bigint): bigint | undefined {
  return fault.code === "blockLimitExceeded" && fault.limit === "complexity of all scripts"
    ? fault.got - before
    : undefined;
}

/** What a transaction counts for that a challenging block elides. @param run as it stands before the transaction */
export function elidedComplexity(refusal: RuleError, effort: Effort, run: BlockRun): bigint {
  return unfitComplexity(refusal, run.usage.scriptComplexity) ?? refusedComplexity(refusal, effort);
}

/** Of a script that did not come to its end only this is known. */
function guessOf(refusal: RuleError | WorkRefused): bigint {
  if (refusal instanceof WorkRefused) return REFUSED_CALL_COMPLEXITY;
  const { fault, cause } = refusal;
  if (cause instanceof FailedTransaction)
    return BigInt(Math.max(cause.facts.spentComplexity, Number(REFUSED_COMPLEXITY)));
  switch (fault.code) {
    case "callBreaksRule":
      return REFUSED_CALL_COMPLEXITY;
    case "scriptRefused":
    case "scriptFailed":
      return REFUSED_BY_SCRIPT_COMPLEXITY;
    default:
      return REFUSED_COMPLEXITY;
  }
}

/** What the scripts of transactions cost that did not fit into a block: they are not run again before there is room. */
export class UnfitTransactions {
  readonly #complexities = new WeakMap<PoolEntry, bigint>();

  put(entry: PoolEntry, complexity: bigint): void {
    this.#complexities.set(entry, complexity);
  }

  /** 0 of a transaction that is not known. */
  complexityOf(entry: PoolEntry): bigint {
    return this.#complexities.get(entry) ?? 0n;
  }
}

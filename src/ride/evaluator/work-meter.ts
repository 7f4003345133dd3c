/**
 * Meter of the work that evaluations for one request do, over all attempts. An evaluation with missing rows starts
 * again once they are fetched; its processor time each time does not show in the request's declared complexity.
 * @see docs/decisions/0034-script-evaluation-in-the-worker.md
 */
import type { LongStep } from "../../crypto/long-step.ts";
import { equalValues, type Value, weightOf } from "../values/value.ts";
import { WorkRefused } from "../work-refused.ts";
import type { ScriptWork } from "./script-work.ts";

/** Minimum complexity of native functions whose results are cached. */
const MIN_REMEMBERED_COMPLEXITY = 100;
/** Limit on the weight of all cached arguments, bytes. */
const MAX_REMEMBERED_BYTES = 4 * 1024 * 1024;
/** Complexity after which an attempt with a missing row ends, instead of looking for further missing rows. */
const SHORT_ATTEMPT_COMPLEXITY = 1_000;

/** Weight of arguments whose comparison costs 1 complexity, bytes. */
const COMPARED_BYTES = 1_024;

interface RememberedResult {
  /** Entry of the function table. */
  readonly row: object;
  readonly args: readonly Value[];
  readonly value: Value;
}

/** End of an attempt with a missing row, whose result would be discarded. */
export class AttemptEnded extends Error {
  override readonly name = "AttemptEnded";
}

export class WorkMeter implements ScriptWork {
  readonly #maxComplexity: number;
  /** In the order of computation, which is mostly that of the next attempt, too. */
  readonly #results: RememberedResult[] = [];
  /** Index of the next result if the attempt proceeds like the last one. */
  #nextResult = 0;
  #spent = 0;
  #attemptStart = 0;
  #rowReads = 0;
  #lacksRow = false;
  #rememberedBytes = 0;

  /** @param maxComplexity of all attempts */
  constructor(maxComplexity: number) {
    this.#maxComplexity = maxComplexity;
  }

  /** Complexity spent so far; cached results cost nothing. */
  get spentComplexity(): number {
    return this.#spent;
  }

  get isExhausted(): boolean {
    return this.#spent > this.#maxComplexity;
  }

  /** @param complexity of each attempt in addition to its script */
  beginAttempt(complexity: number): void {
    this.#lacksRow = false;
    this.#nextResult = 0;
    this.#attemptStart = this.#spent;
    this.#spent += complexity;
  }

  /** Records that a row was read: results of functions that read are not cached. */
  noteRowRead(): void {
    this.#rowReads++;
  }

  /** @throws AttemptEnded */
  noteMissingRow(): void {
    this.#lacksRow = true;
    this.spend(0);
  }

  /** @throws AttemptEnded; WorkRefused the request has spent its budget */
  spend(complexity: number): void {
    this.#spent += complexity;
    if (this.#lacksRow && this.#spent - this.#attemptStart > SHORT_ATTEMPT_COMPLEXITY) {
      throw new AttemptEnded("a row is missing");
    }
    if (this.isExhausted) {
      throw new WorkRefused(
        `the request has spent ${this.#spent} of ${this.#maxComplexity} complexity in its attempts`,
      );
    }
  }

  /**
   * Result of a native function, identified by its entry in the function table; from an earlier attempt if it was
   * expensive and had the same arguments.
   * @throws AttemptEnded, WorkRefused; errors of `evaluate`
   */
  evaluate(row: object, complexity: number, args: readonly Value[], evaluate: () => Value): Value {
    const isExpensive = complexity >= MIN_REMEMBERED_COMPLEXITY;
    const cached = isExpensive ? this.#find(row, args) : undefined;
    if (cached !== undefined) return cached.value;
    this.spend(complexity);
    const rowReads = this.#rowReads;
    const value = evaluate();
    if (isExpensive && rowReads === this.#rowReads) this.#remember({ row, args, value });
    return value;
  }

  /** Runs a step without a cache: the result of the whole native function is cached. */
  step({ compute }: LongStep): Uint8Array {
    return compute();
  }

  /**
   * Looks at the expected result first, then at the others: each comparison is work, too. @throws AttemptEnded,
   * WorkRefused
   */
  #find(row: object, args: readonly Value[]): RememberedResult | undefined {
    const count = this.#results.length;
    const weight = args.reduce((sum, value) => sum + weightOf(value), 0);
    for (let step = 0; step < count; step++) {
      const index = (this.#nextResult + step) % count;
      const result = this.#results[index] as RememberedResult;
      if (result.row !== row) continue;
      if (step > 0) this.spend(1 + Math.floor(weight / COMPARED_BYTES));
      if (!areEqual(result.args, args)) continue;
      this.#nextResult = index + 1;
      return result;
    }
    return undefined;
  }

  #remember(result: RememberedResult): void {
    const sizeBytes = result.args.reduce((sum, value) => sum + weightOf(value), weightOf(result.value));
    if (this.#rememberedBytes + sizeBytes > MAX_REMEMBERED_BYTES) return;
    this.#rememberedBytes += sizeBytes;
    this.#results.push(result);
    this.#nextResult = this.#results.length;
  }
}

function areEqual(left: readonly Value[], right: readonly Value[]): boolean {
  return left.length === right.length && left.every((value, index) => equalValues(value, right[index] as Value));
}

/**
 * Work that evaluations for one request have done, over all attempts: an evaluation that lacks rows begins again once they are
 * fetched, and what it spends each time is processor time that the request's declared complexity does not show.
 * @see docs/decisions/0034-script-evaluation-in-the-worker.md
 */
import type { LongStep } from "../../crypto/long-step.ts";
import { equalValues, type Value, weightOf } from "../values/value.ts";
import { WorkRefused } from "../work-refused.ts";
import type { ScriptWork } from "./script-work.ts";

/** Native functions from this complexity on take long enough for their results to be remembered. */
const MIN_REMEMBERED_COMPLEXITY = 100;
/** Weight of all arguments that are remembered, in bytes. */
const MAX_REMEMBERED_BYTES = 4 * 1024 * 1024;
/** Complexity after which an attempt that lacks a row ends, rather than looking for other rows that it lacks. */
const SHORT_ATTEMPT_COMPLEXITY = 1_000;

/** Weight of arguments that are compared for 1 of complexity, in bytes. */
const COMPARED_BYTES = 1_024;

interface RememberedResult {
  /** Entry of the function table. */
  readonly row: object;
  readonly args: readonly Value[];
  readonly value: Value;
}

/** The end of an attempt that lacks a row: its answer would be thrown away. */
export class AttemptEnded extends Error {
  override readonly name = "AttemptEnded";
}

export class WorkMeter implements ScriptWork {
  readonly #maxComplexity: number;
  /** In the order in which they were computed: mostly that of the next attempt, too. */
  readonly #results: RememberedResult[] = [];
  /** Index of the result that comes next if the attempt goes the way of the last one. */
  #nextResult = 0;
  #spent = 0;
  #attemptStart = 0;
  #rowReads = 0;
  #lacksRow = false;
  #rememberedBytes = 0;

  /** @param maxComplexity of all attempts together */
  constructor(maxComplexity: number) {
    this.#maxComplexity = maxComplexity;
  }

  /** Complexity spent so far; a remembered result costs nothing again. */
  get spentComplexity(): number {
    return this.#spent;
  }

  get isExhausted(): boolean {
    return this.#spent > this.#maxComplexity;
  }

  /** @param complexity of what each attempt takes besides its script */
  beginAttempt(complexity: number): void {
    this.#lacksRow = false;
    this.#nextResult = 0;
    this.#attemptStart = this.#spent;
    this.#spent += complexity;
  }

  /** A row was read: a function that reads has no result to remember. */
  noteRowRead(): void {
    this.#rowReads++;
  }

  /** @throws AttemptEnded */
  noteMissingRow(): void {
    this.#lacksRow = true;
    this.spend(0);
  }

  /** @throws AttemptEnded; WorkRefused the request has spent all that it may */
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
   * The result of a native function, known by its entry in the function table: of an earlier attempt, where it was dear and had the same arguments.
   * @throws AttemptEnded, WorkRefused; whatever `evaluate` throws
   */
  evaluate(row: object, complexity: number, args: readonly Value[], evaluate: () => Value): Value {
    const isDear = complexity >= MIN_REMEMBERED_COMPLEXITY;
    const remembered = isDear ? this.#find(row, args) : undefined;
    if (remembered !== undefined) return remembered.value;
    this.spend(complexity);
    const rowReads = this.#rowReads;
    const value = evaluate();
    if (isDear && rowReads === this.#rowReads) this.#remember({ row, args, value });
    return value;
  }

  /** Of a native function whose whole result is remembered. */
  step({ compute }: LongStep): Uint8Array {
    return compute();
  }

  /** Looks at the expected result first, then at all: each comparison is work, too. @throws AttemptEnded, WorkRefused */
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

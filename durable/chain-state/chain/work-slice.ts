/** Work of one call that validates a block, and the results that the next call continues with. */
import { type BytesKey, bytesKey, concatBytes, i32Bytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { LongStep } from "../../../src/crypto/long-step.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import type { ScriptWork } from "../../../src/ride/evaluator/script-work.ts";
import type { Value } from "../../../src/ride/values/value.ts";
import type { StepResults } from "./step-results.ts";

/** Error for the end of a work slice: the same call again continues with the results of this one. */
export class SliceSpent extends Error {
  override readonly name: string = "SliceSpent";
}

/** `SliceSpent` after new blocks entered the chain: the same call again continues after them. */
export class PartlyApplied extends SliceSpent {
  override readonly name = "PartlyApplied";
}

/** `SliceSpent` with validated blocks lost: the branch takes more than one call before it outweighs the chain. */
export class BlocksUndone extends SliceSpent {
  override readonly name = "BlocksUndone";
}

interface FoundResult {
  readonly step: Uint8Array;
  readonly result: Uint8Array;
}

export class WorkSlice implements ScriptWork {
  readonly #limit: number;
  readonly #stored: StepResults;
  readonly #found = new Map<BytesKey, FoundResult>();
  #spent = 0;
  #hasFound = false;
  #usesStored = false;

  /** @param portion complexity of scripts and work of long steps after which the call ends */
  constructor(portion: number, stored: StepResults) {
    this.#limit = portion;
    this.#stored = stored;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Results of steps that were first computed in this call. */
  get found(): Iterable<FoundResult> {
    return this.#found.values();
  }

  /** Whether a result of an earlier call was used. */
  get usesStored(): boolean {
    return this.#usesStored;
  }

  spend(complexity: number): void {
    this.#spent += complexity;
  }

  evaluate(_: object, complexity: number, __: readonly Value[], evaluate: () => Value): Value {
    this.spend(complexity);
    return evaluate();
  }

  /** @throws SliceSpent; any error of the step */
  step(step: LongStep): Uint8Array {
    const hash = hashOf(step);
    const key = bytesKey(hash);
    const stored = this.#found.get(key)?.result ?? this.#stored.find(hash);
    if (stored !== undefined) {
      this.#usesStored ||= !this.#found.has(key);
      return stored;
    }
    this.assertBudget(step.work);
    // First: a step that throws takes as long.
    this.spend(step.work);
    const result = step.compute();
    this.#found.set(key, { step: hash, result });
    this.noteFound();
    return result;
  }

  /** Notes progress: the next call will not repeat the work done so far. */
  noteFound(): void {
    this.#hasFound = true;
  }

  /**
   * Ends the call when its work slice is spent. A call without any progress continues, or the next one would get no
   * further.
   * @param work of the next step, if it is known
   * @throws SliceSpent
   */
  assertBudget(work = 0): void {
    if (this.#hasFound && this.#spent + work > this.#limit) throw new SliceSpent(`${this.#spent} of work are done`);
  }
}

function hashOf({ name, inputs }: LongStep): Uint8Array {
  const parts = [utf8Bytes(name), ...inputs];
  return blake2b256(concatBytes(...parts.flatMap((part) => [i32Bytes(part.length), part])));
}

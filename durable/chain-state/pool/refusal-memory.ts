/**
 * Refusals that scripts have come to on the tip as it is: transactions that ask for the same are refused alike, and run nothing.
 * @see docs/decisions/0073-budget-of-refused-work.md
 */
import { LRUCache } from "lru-cache";
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { chainStateBytes } from "../../../src/platform/memory-budget.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { KnownRefusals } from "../../../src/rules/transactions/block-context.ts";
import { contentText } from "../../../src/rules/transactions/likeness.ts";

export const MAX_REFUSALS = 1_000;
/** A refusal that cost less is not worth one that cost more. */
const MIN_COMPLEXITY = 100;
/** Entry and key. */
const ENTRY_BYTES = 200;

type Fault = RuleError["fault"];

export class RefusalMemory {
  readonly #faults = new LRUCache<string, Fault>({
    max: MAX_REFUSALS,
    maxSize: chainStateBytes.refusals,
    maxEntrySize: chainStateBytes.refusals / 8,
    sizeCalculation: (fault) => ENTRY_BYTES + 2 * contentText(fault).length,
  });
  #tipId: BytesKey | undefined;

  get size(): number {
    return this.#faults.size;
  }

  get sizeBytes(): number {
    return this.#faults.calculatedSize;
  }

  /**
   * What is known of the state.
   * @param tip the state itself, or what came back to the pool on top of it (`forget` when that changes)
   * @param spentComplexity what the transaction has spent that is refused
   */
  on(tip: StateView, spentComplexity: () => number): KnownRefusals {
    const tipId = bytesKey(tip.findHeader(tip.height)?.id ?? new Uint8Array());
    if (tipId !== this.#tipId) this.forget();
    this.#tipId = tipId;
    return {
      find: (likeness) => {
        const fault = this.#faults.get(likeness);
        return fault && new RuleError(fault);
      },
      add: (likeness, { fault }) => {
        if (spentComplexity() >= MIN_COMPLEXITY) this.#faults.set(likeness, fault);
      },
    };
  }

  /** The state is another one. */
  forget(): void {
    this.#faults.clear();
  }
}

/**
 * Refusals by scripts on the current tip: transactions that request the same are refused alike, without running
 * anything.
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
/** Complexity below which a refusal is not stored: it is not worth displacing a costlier one. */
const MIN_COMPLEXITY = 100;
/** Memory of an entry and its key. */
const ENTRY_BYTES = 200;

type Fault = RuleError["violation"];

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
   * Known refusals on a state.
   * @param tip the state itself, or the state with priority transactions on top (`forget` when those change)
   * @param spentComplexity complexity that the refused transaction has spent
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
      add: (likeness, { violation }) => {
        if (spentComplexity() >= MIN_COMPLEXITY) this.#faults.set(likeness, violation);
      },
    };
  }

  /** Forgets all refusals; to be called when the state changes. */
  forget(): void {
    this.#faults.clear();
  }
}

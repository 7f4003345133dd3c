/**
 * State snapshots of the priority pool's transactions, from the micro-blocks that a key block discarded. The pool
 * validates new transactions as if a micro-block had already included the priority ones again; they are not run for
 * that.
 * @source Waves: utx/UtxPriorityPool.scala (compositeBlockchain, removeIds, invalidateTxs)
 */
import { type BytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { compositeView, type TransactionWithSnapshot } from "../../../src/rules/transactions/composite-view.ts";

/** A transaction of the priority pool, by its id, with its state snapshot. */
export interface PriorityEffect {
  readonly key: BytesKey;
  /** Wire form; undefined if unknown. */
  readonly stateSnapshot: Uint8Array | undefined;
}

interface KnownEffect extends PriorityEffect {
  readonly stateSnapshot: Uint8Array;
}

export class PriorityEffects {
  readonly #load: (key: BytesKey) => Transaction | undefined;
  /** Known effects in the order of the micro-blocks; the first unknown one ends the list. */
  #known: readonly KnownEffect[] = [];
  #view: { readonly tipId: BlockId; readonly view: StateView } | undefined;

  /** @param load reads a transaction of the priority pool */
  constructor(load: (key: BytesKey) => Transaction | undefined) {
    this.#load = load;
  }

  /** Number of transactions with known effects. */
  get size(): number {
    return this.#known.length;
  }

  /**
   * Replaces the transactions.
   * @param returned in the order of the micro-blocks; their state snapshots stay in memory
   */
  replace(returned: readonly PriorityEffect[]): void {
    const known: KnownEffect[] = [];
    for (const { key, stateSnapshot } of returned) {
      if (stateSnapshot === undefined) break;
      known.push({ key, stateSnapshot });
    }
    this.#replaceKnown(known);
  }

  /**
   * Handles transactions appended to the chain. If they are exactly the first priority ones, the rest stays valid: it
   * was made on just that state.
   */
  appended(keys: readonly BytesKey[]): void {
    if (keys.length === 0) return;
    const isFirst = keys.every((key, index) => this.#known[index]?.key === key);
    this.#replaceKnown(isFirst ? this.#known.slice(keys.length) : []);
  }

  /** Handles a removed transaction: the effects after it were made on a state that will not occur. */
  removed(key: BytesKey): void {
    const place = this.#known.findIndex((effect) => effect.key === key);
    if (place >= 0) this.#replaceKnown(this.#known.slice(0, place));
  }

  /** Known effects in the order of the micro-blocks. */
  *all(): Iterable<TransactionWithSnapshot> {
    for (const { key, stateSnapshot } of this.#known) {
      const transaction = this.#load(key);
      if (transaction === undefined) return;
      yield { transaction, stateSnapshot };
    }
  }

  /** The tip with the effects applied on top. @param tip with at least a genesis block */
  on(tip: StateView): StateView {
    const tipId = tip.findHeader(tip.height)?.id;
    if (tipId === undefined) throw new Error("the pool's transactions are judged on a chain with a genesis block");
    if (this.#view === undefined || !equalBytes(this.#view.tipId, tipId)) {
      const { view, count } = compositeView(tip, this.all());
      this.#known = this.#known.slice(0, count);
      this.#view = { tipId, view };
    }
    return this.#view.view;
  }

  #replaceKnown(known: readonly KnownEffect[]): void {
    this.#known = known;
    this.#view = undefined;
  }
}

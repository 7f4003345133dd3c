/**
 * What the transactions that go first have done in the micro-blocks that a key block left behind. The pool judges what comes
 * as if a micro-block had brought them back already; nothing of them is run again to know that.
 * @source Waves: utx/UtxPriorityPool.scala (compositeBlockchain, removeIds, invalidateTxs)
 */
import { type BytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { type TransactionEffect, viewAfter } from "../../../src/rules/transactions/composite-view.ts";

/** A transaction that goes first, by its id. */
export interface ReturnedEffect {
  readonly key: BytesKey;
  /** In wire form; undefined where it is not known. */
  readonly changeSet: Uint8Array | undefined;
}

interface KnownEffect extends ReturnedEffect {
  readonly changeSet: Uint8Array;
}

export class ReturnedEffects {
  readonly #load: (key: BytesKey) => Transaction | undefined;
  /** In the order of the micro-blocks; what stands behind one that is not known is not known, either. */
  #known: readonly KnownEffect[] = [];
  #view: { readonly tipId: BlockId; readonly view: StateView } | undefined;

  /** @param load reads one that goes first */
  constructor(load: (key: BytesKey) => Transaction | undefined) {
    this.#load = load;
  }

  /** Of how many it is known what they did. */
  get size(): number {
    return this.#known.length;
  }

  /** Others go first from now on. @param returned in the order of the micro-blocks; their change sets stay in memory */
  replace(returned: readonly ReturnedEffect[]): void {
    const known: KnownEffect[] = [];
    for (const { key, changeSet } of returned) {
      if (changeSet === undefined) break;
      known.push({ key, changeSet });
    }
    this.#keep(known);
  }

  /**
   * Transactions came into the chain. Where they are the first of those that go first, and no others, the rest still holds:
   * it was made on just that state.
   */
  appended(keys: readonly BytesKey[]): void {
    if (keys.length === 0) return;
    const isFirst = keys.every((key, index) => this.#known[index]?.key === key);
    this.#keep(isFirst ? this.#known.slice(keys.length) : []);
  }

  /** One has left, and will come into no block: what stands behind it was made on a state that will not be. */
  left(key: BytesKey): void {
    const place = this.#known.findIndex((effect) => effect.key === key);
    if (place >= 0) this.#keep(this.#known.slice(0, place));
  }

  /** What is known, in the order of the micro-blocks. */
  *all(): Iterable<TransactionEffect> {
    for (const { key, changeSet } of this.#known) {
      const transaction = this.#load(key);
      if (transaction === undefined) return;
      yield { transaction, changeSet };
    }
  }

  /** The tip with what they did on top. @param tip with at least a genesis block */
  on(tip: StateView): StateView {
    const tipId = tip.findHeader(tip.height)?.id;
    if (tipId === undefined) throw new Error("the pool's transactions are judged on a chain with a genesis block");
    if (this.#view === undefined || !equalBytes(this.#view.tipId, tipId)) {
      const { view, count } = viewAfter(tip, this.all());
      this.#known = this.#known.slice(0, count);
      this.#view = { tipId, view };
    }
    return this.#view.view;
  }

  #keep(known: readonly KnownEffect[]): void {
    this.#known = known;
    this.#view = undefined;
  }
}

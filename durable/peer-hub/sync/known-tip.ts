/** Tip of the chain as last reported to the peers' side. */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { ChainTip } from "../../../src/rpc/chain-for-peers.ts";

export interface TipListener {
  /** @param before undefined the first time */
  changed(tip: ChainTip, before: ChainTip | undefined): void;
}

export class KnownTip {
  #current: ChainTip | undefined;
  readonly #listeners: TipListener[] = [];

  get current(): ChainTip | undefined {
    return this.#current;
  }

  listen(listener: TipListener): void {
    this.#listeners.push(listener);
  }

  /** Applies an event of the chain. */
  update(tip: ChainTip): void {
    const before = this.#current;
    if (before !== undefined && before.score === tip.score && equalBytes(before.tipId, tip.tipId)) return;
    this.#current = tip;
    for (const listener of this.#listeners) listener.changed(tip, before);
  }

  /** Applies a tip from a response, which may be older than the last event. */
  updateIfHeavier(tip: ChainTip): void {
    if (this.#current === undefined || tip.score >= this.#current.score) this.update(tip);
  }
}

/** Tip of the chain as last reported to the peers' side. */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { ChainStanding } from "../../../src/rpc/chain-for-peers.ts";

export interface StandingListener {
  /** @param before undefined the first time */
  changed(tip: ChainStanding, before: ChainStanding | undefined): void;
}

export class KnownStanding {
  #current: ChainStanding | undefined;
  readonly #listeners: StandingListener[] = [];

  get current(): ChainStanding | undefined {
    return this.#current;
  }

  listen(listener: StandingListener): void {
    this.#listeners.push(listener);
  }

  /** Applies an event of the chain. */
  told(tip: ChainStanding): void {
    const before = this.#current;
    if (before !== undefined && before.score === tip.score && equalBytes(before.tipId, tip.tipId)) return;
    this.#current = tip;
    for (const listener of this.#listeners) listener.changed(tip, before);
  }

  /** Applies a tip from a response, which may be older than the last event. */
  answered(tip: ChainStanding): void {
    if (this.#current === undefined || tip.score >= this.#current.score) this.told(tip);
  }
}

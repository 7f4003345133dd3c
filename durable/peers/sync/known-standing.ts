/** Where the chain stands, as far as the peers' side was told. */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { ChainStanding } from "../chain-for-peers.ts";

export interface StandingListener {
  /** @param before undefined the first time */
  changed(standing: ChainStanding, before: ChainStanding | undefined): void;
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

  /** What the chain says by itself. */
  told(standing: ChainStanding): void {
    const before = this.#current;
    if (before !== undefined && before.score === standing.score && equalBytes(before.tipId, standing.tipId)) return;
    this.#current = standing;
    for (const listener of this.#listeners) listener.changed(standing, before);
  }

  /** What the chain has answered: it may be older than what it said since. */
  answered(standing: ChainStanding): void {
    if (this.#current === undefined || standing.score >= this.#current.score) this.told(standing);
  }
}

/**
 * Whose turn it is to be checked again. The reference checks its whole pool after each change of the chain, in a thread of
 * its own (UtxPoolImpl.cleanUnconfirmed). Here it would keep the chain waiting: so many transactions are checked after a
 * change, for so long, and the next change goes on behind them. What no turn has come to is found out when it is packed.
 */

/** Checks after one change of the chain. */
const MAX_CHECKS = 2_000;
/** From the first of them on, ms. */
const MAX_MS = 1_000;

export class CleanUpTurns<Entry> {
  readonly #entries: { readonly size: number; values(): Iterator<Entry> };
  #place: Iterator<Entry> | undefined;
  /** Checks that are left of the running clean-up. */
  #left = 0;
  #endMs: number | undefined;

  /** @param entries as they are at any time, in an order that does not change */
  constructor(entries: { readonly size: number; values(): Iterator<Entry> }) {
    this.#entries = entries;
  }

  /** Whether there is anything left to check. */
  get isDue(): boolean {
    return this.#left > 0 && this.#entries.size > 0;
  }

  /** To be called when the chain has changed. What comes from then on is judged by the change, and no reason to check any. */
  start(): void {
    this.#left = this.#entries.size === 0 ? 0 : MAX_CHECKS;
    this.#endMs = undefined;
  }

  /** The next to be checked, each once in a clean-up; undefined when enough is done. Entries may leave meanwhile. */
  next(nowMs: number): Entry | undefined {
    this.#left = Math.min(this.#left, this.#entries.size);
    this.#endMs ??= nowMs + MAX_MS;
    if (nowMs > this.#endMs) this.#left = 0;
    if (this.#left === 0) return undefined;
    this.#left -= 1;
    const next = this.#place?.next();
    if (next !== undefined && next.done !== true) return next.value;
    this.#place = this.#entries.values();
    return this.#place.next().value;
  }
}

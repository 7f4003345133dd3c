/**
 * Order in which waiting transactions are checked again. The reference checks its whole pool after each change of the
 * chain, in a thread of its own (UtxPoolImpl.cleanUnconfirmed). Here that would delay the chain: the number of checks
 * after a change and their time are bounded, and the next change continues after the checked ones. Invalid transactions
 * among the others are found when they are packed.
 */

/** Checks after one change of the chain. */
const MAX_CHECKS = 2_000;
/** Time from the first check of a clean-up, ms. */
const MAX_MS = 1_000;

export class CleanUpSchedule<Entry> {
  readonly #entries: { readonly size: number; values(): Iterator<Entry> };
  #iterator: Iterator<Entry> | undefined;
  /** Remaining checks of the running clean-up. */
  #remaining = 0;
  #endMs: number | undefined;

  /** @param entries live entries of the pool, in a stable order */
  constructor(entries: { readonly size: number; values(): Iterator<Entry> }) {
    this.#entries = entries;
  }

  /** Whether checks remain. */
  get isDue(): boolean {
    return this.#remaining > 0 && this.#entries.size > 0;
  }

  /** To be called when the chain has changed. Transactions added later are validated on the new state already. */
  start(): void {
    this.#remaining = this.#entries.size === 0 ? 0 : MAX_CHECKS;
    this.#endMs = undefined;
  }

  /** Next entry to check, each once in a clean-up; undefined at the end. Entries may be removed meanwhile. */
  next(nowMs: number): Entry | undefined {
    this.#remaining = Math.min(this.#remaining, this.#entries.size);
    this.#endMs ??= nowMs + MAX_MS;
    if (nowMs > this.#endMs) this.#remaining = 0;
    if (this.#remaining === 0) return undefined;
    this.#remaining -= 1;
    const next = this.#iterator?.next();
    if (next !== undefined && next.done !== true) return next.value;
    this.#iterator = this.#entries.values();
    return this.#iterator.next().value;
  }
}

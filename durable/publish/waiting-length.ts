/** How much waits in the outbox. Each entry is measured once. */
import type { StateStore } from "../state/state-store.ts";

export class WaitingLength {
  readonly #store: StateStore;
  /** Number of the last entry that was measured. */
  #sequence = 0;
  /** Characters of those up to it. */
  #length = 0;

  constructor(store: StateStore) {
    this.#store = store;
  }

  /** Length of all texts, characters. */
  measure(): number {
    const [[newest, length] = []] = this.#store.rows(
      "SELECT MAX(seq), SUM(LENGTH(rows)) FROM outbox WHERE seq > ?",
      this.#sequence,
    );
    this.#sequence = Number(newest ?? this.#sequence);
    this.#length += Number(length ?? 0);
    return this.#length;
  }

  /** Entries up to a number have left. @param length of all that were there */
  left(sequence: number, length: number): void {
    if (sequence < this.#sequence) {
      this.#length -= length;
      return;
    }
    this.#sequence = sequence;
    this.#length = 0;
  }

  /** What was measured is no longer what is there. */
  forget(): void {
    this.#sequence = 0;
    this.#length = 0;
  }

  /** All have left. */
  dropped(): void {
    this.#length = 0;
  }
}

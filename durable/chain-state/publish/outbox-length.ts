/** Length of the outbox. Each entry is measured once. */
import type { StateStore } from "../state/state-store.ts";

export class OutboxLength {
  readonly #store: StateStore;
  /** Number of the last measured entry. */
  #sequence = 0;
  /** Characters of the measured entries. */
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

  /** Notes the removal of the entries up to a number. @param length of those entries */
  removed(sequence: number, length: number): void {
    if (sequence < this.#sequence) {
      this.#length -= length;
      return;
    }
    this.#sequence = sequence;
    this.#length = 0;
  }

  /** Discards the measurement, since the outbox has changed otherwise. */
  forget(): void {
    this.#sequence = 0;
    this.#length = 0;
  }

  /** Notes the removal of all entries. */
  dropped(): void {
    this.#length = 0;
  }
}

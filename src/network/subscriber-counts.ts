/** Counts by subscriber, and by each network around it. */
import { networkSharesOf } from "./subscriber.ts";

export class SubscriberCounts {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  /** @param max limit of a subscriber; a wider network may have its share of that */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the limit of the subscriber, or of a network around it, is reached. */
  isFull(subscriber: string): boolean {
    return networkSharesOf(subscriber).some(
      ({ name, share }) => (this.#counts.get(name) ?? 0) >= Math.floor(this.#max * share),
    );
  }

  add(subscriber: string): void {
    for (const { name } of networkSharesOf(subscriber)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  remove(subscriber: string): void {
    for (const { name } of networkSharesOf(subscriber)) {
      const count = (this.#counts.get(name) ?? 1) - 1;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }
}

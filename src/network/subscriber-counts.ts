/** How much each subscriber has of something, and each network around it. */
import { networkSharesOf } from "./subscriber.ts";

export class SubscriberCounts {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  /** @param max what a subscriber may have; a wider network may have its share of that */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether one more is too many, of the subscriber or of a network around it. */
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
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left === 0) this.#counts.delete(name);
      else this.#counts.set(name, left);
    }
  }
}

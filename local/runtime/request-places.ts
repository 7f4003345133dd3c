/** Places of requests in the runtime: none of the subscribers has more than half, and where none is free each has its turn. */
import { SubscriberCounts } from "../../src/network/subscriber-counts.ts";

interface WaitingRequest {
  readonly begin: () => void;
}

export class RequestPlaces {
  #free: number;
  readonly #counts: SubscriberCounts;
  /** Requests by subscriber, the one whose turn is next first. */
  readonly #waiting = new Map<string, WaitingRequest[]>();

  /** @param ofSubscriber places of one at a time; a network around it may have its share of that */
  constructor(most: number, ofSubscriber: number) {
    this.#free = most;
    this.#counts = new SubscriberCounts(ofSubscriber);
  }

  /**
   * Begins now or later.
   * @returns gives the place free, or the wish for one up; further calls do nothing
   */
  take(subscriber: string, begin: () => void): () => void {
    let state: "waiting" | "running" | "over" = "waiting";
    const request: WaitingRequest = {
      begin: () => {
        state = "running";
        begin();
      },
    };
    const ofSubscriber = this.#waiting.get(subscriber) ?? [];
    this.#waiting.set(subscriber, ofSubscriber);
    ofSubscriber.push(request);
    this.#beginNext();
    return () => {
      const before = state;
      state = "over";
      if (before === "waiting") this.#forget(subscriber, request);
      if (before !== "running") return;
      this.#free += 1;
      this.#counts.remove(subscriber);
      this.#beginNext();
    };
  }

  #beginNext(): void {
    while (this.#free > 0) {
      const subscriber = this.#waiting.keys().find((each) => !this.#counts.isFull(each));
      const request = subscriber === undefined ? undefined : this.#waiting.get(subscriber)?.shift();
      if (subscriber === undefined || request === undefined) return;
      const left = this.#waiting.get(subscriber) ?? [];
      // The others have their turn first.
      this.#waiting.delete(subscriber);
      if (left.length > 0) this.#waiting.set(subscriber, left);
      this.#free -= 1;
      this.#counts.add(subscriber);
      request.begin();
    }
  }

  #forget(subscriber: string, request: WaitingRequest): void {
    const left = (this.#waiting.get(subscriber) ?? []).filter((each) => each !== request);
    if (left.length > 0) this.#waiting.set(subscriber, left);
    else this.#waiting.delete(subscriber);
  }
}

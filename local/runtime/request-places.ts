/** Request slots of the runtime: a subscriber has a limited number, and waiting subscribers take turns. */
import { SubscriberCounts } from "../../src/network/subscriber-counts.ts";

interface WaitingRequest {
  readonly begin: () => void;
}

export class RequestPlaces {
  #free: number;
  readonly #counts: SubscriberCounts;
  /** Waiting requests by subscriber; the next one to be served is first. */
  readonly #waiting = new Map<string, WaitingRequest[]>();

  /**
   * @param most number of slots
   * @param ofSubscriber slots of one subscriber at a time; a network around it has its own multiple of that
   */
  constructor(most: number, ofSubscriber: number) {
    this.#free = most;
    this.#counts = new SubscriberCounts(ofSubscriber);
  }

  /**
   * Begins a request now or once a slot is free.
   * @returns function that releases the slot or withdraws the waiting request; further calls do nothing
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
      const subscriber = this.#nextSubscriber();
      const request = subscriber === undefined ? undefined : this.#waiting.get(subscriber)?.shift();
      if (subscriber === undefined || request === undefined) return;
      const left = this.#waiting.get(subscriber) ?? [];
      // The subscriber goes to the end of the queue.
      this.#waiting.delete(subscriber);
      if (left.length > 0) this.#waiting.set(subscriber, left);
      this.#free -= 1;
      this.#counts.add(subscriber);
      request.begin();
    }
  }

  /** First waiting subscriber with a free slot. A loop, since Node 20 has no iterator helpers. */
  #nextSubscriber(): string | undefined {
    for (const subscriber of this.#waiting.keys()) if (!this.#counts.isFull(subscriber)) return subscriber;
    return undefined;
  }

  #forget(subscriber: string, request: WaitingRequest): void {
    const left = (this.#waiting.get(subscriber) ?? []).filter((each) => each !== request);
    if (left.length > 0) this.#waiting.set(subscriber, left);
    else this.#waiting.delete(subscriber);
  }
}

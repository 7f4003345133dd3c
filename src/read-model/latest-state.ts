/**
 * Newest state of the chain known to this isolate: every reading of D1 shows one, and cached data is valid as long as
 * its state is the newest.
 */
import { type Chain, isOlderThan } from "./chain.ts";

/** State shown by a reading. */
export interface SeenState {
  readonly chain: Chain;
  /** Bookmark of the database that was read; undefined if it has no copies. */
  readonly bookmark: string | undefined;
}

/** How long a state counts as the newest, from the start of the request to the database. */
export const MAX_AGE_MS = 100;
/** How long a request waits for a read of another request, which may stop when the other client disconnects. */
const WAIT_TIMEOUT_MS = 2_000;

interface InFlightRead {
  readonly writes: number;
  readonly requestedAtMs: number;
  readonly completed: Promise<unknown>;
}

export class LatestState {
  readonly #nowMs: () => number;
  #newest: SeenState | undefined;
  #requestedAtMs = Number.NEGATIVE_INFINITY;
  /** Number of changes of the chain or the pool requested by this isolate. */
  #writes = 0;
  #flight: InFlightRead | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Newest state of any reading in this isolate, of any age. */
  get newest(): SeenState | undefined {
    return this.#newest;
  }

  /** Newest state, if the database was queried within the time, and after every write of this isolate. */
  known(maxAgeMs = MAX_AGE_MS): SeenState | undefined {
    const ageMs = this.#nowMs() - this.#requestedAtMs;
    // A clock set back does not make a state younger.
    return ageMs >= 0 && ageMs < maxAgeMs ? this.#newest : undefined;
  }

  /** Starts a reading; call it before querying the database. @returns callback for the state that the reading shows */
  beginReading(): (seen: SeenState) => void {
    const requestedAtMs = this.#nowMs();
    // The clock was set back: the time of the earlier request is unknown.
    if (requestedAtMs < this.#requestedAtMs) this.#requestedAtMs = Number.NEGATIVE_INFINITY;
    const writes = this.#writes;
    return (seen) => {
      const newest = this.#newest;
      if (newest !== undefined) {
        const isAnother = seen.chain.identity !== newest.chain.identity;
        if (isAnother ? requestedAtMs < this.#requestedAtMs : isOlderThan(seen.chain, newest.chain)) return;
      }
      this.#newest = seen;
      if (writes === this.#writes) this.#requestedAtMs = Math.max(requestedAtMs, this.#requestedAtMs);
    };
  }

  /** Marks the known state as outdated by a write of this isolate. */
  outdate(): void {
    this.#writes++;
    this.#requestedAtMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * Returns the newest state. If none is known, one read serves all waiting callers. A slow read still counts: a state
   * requested shortly before this call is valid for it.
   * @param read a reading that calls the callback of `beginReading`
   * @param untilDone keeps the reading alive after the request ends
   * @returns undefined: it could not be read
   */
  async current(
    read: () => Promise<unknown>,
    untilDone: (work: Promise<unknown>) => void,
  ): Promise<SeenState | undefined> {
    const known = this.known();
    if (known !== undefined) return known;
    const earliestMs = this.#nowMs() - MAX_AGE_MS;
    // A reading started before a write does not show the write.
    const flight = this.#flight;
    if (flight?.writes !== this.#writes || flight.requestedAtMs <= earliestMs) this.#startRead(read, untilDone);
    await withTimeout(this.#flight?.completed);
    return this.#requestedAtMs > earliestMs ? this.#newest : undefined;
  }

  #startRead(read: () => Promise<unknown>, untilDone: (work: Promise<unknown>) => void): void {
    const requestedAtMs = this.#nowMs();
    const landed = read()
      // Each waiting caller then reads for itself, and reports the error.
      .catch(() => undefined)
      .finally(() => {
        if (this.#flight === flight) this.#flight = undefined;
      });
    const flight: InFlightRead = { writes: this.#writes, requestedAtMs, completed: landed };
    this.#flight = flight;
    untilDone(landed);
  }
}

async function withTimeout(landed: Promise<unknown> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_TIMEOUT_MS);
  });
  await Promise.race([landed, late]);
  clearTimeout(timer);
}

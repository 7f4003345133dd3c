/**
 * Which state of the chain this isolate knows to be the newest: every reading of D1 shows one, and what is kept in memory
 * is right for as long as its state is the newest.
 */
import { type Chain, isBehind } from "./chain.ts";

/** What a reading has shown. */
export interface SeenState {
  readonly chain: Chain;
  /** Of the database that was read; undefined where it has no copies. */
  readonly bookmark: string | undefined;
}

/** How long a state counts as the newest, from when the database was asked for it. */
export const MAX_AGE_MS = 100;
/** How long a request waits for what another one has asked: that one's client may go away with it. */
const PATIENCE_MS = 2_000;

interface Flight {
  readonly writes: number;
  readonly askedAtMs: number;
  readonly landed: Promise<unknown>;
}

export class LatestState {
  readonly #nowMs: () => number;
  #newest: SeenState | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** Changes of the chain or the pool that this isolate has asked for. */
  #writes = 0;
  #flight: Flight | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The newest state that any reading of this isolate has shown, however long ago. */
  get newest(): SeenState | undefined {
    return this.#newest;
  }

  /** The newest state, if the database was asked within the time, and after every write of this isolate. */
  known(maxAgeMs = MAX_AGE_MS): SeenState | undefined {
    const ageMs = this.#nowMs() - this.#askedAtMs;
    // A clock that was put back makes nothing younger.
    return ageMs >= 0 && ageMs < maxAgeMs ? this.#newest : undefined;
  }

  /** To be called when the database is asked. @returns to be called with what it has shown */
  beginReading(): (seen: SeenState) => void {
    const askedAtMs = this.#nowMs();
    // The clock was put back: when it was asked before nobody knows.
    if (askedAtMs < this.#askedAtMs) this.#askedAtMs = Number.NEGATIVE_INFINITY;
    const writes = this.#writes;
    return (seen) => {
      const newest = this.#newest;
      if (newest !== undefined) {
        const isAnother = seen.chain.identity !== newest.chain.identity;
        if (isAnother ? askedAtMs < this.#askedAtMs : isBehind(seen.chain, newest.chain)) return;
      }
      this.#newest = seen;
      if (writes === this.#writes) this.#askedAtMs = Math.max(askedAtMs, this.#askedAtMs);
    };
  }

  /** What was known before a write of this isolate shows nothing of it. */
  outdate(): void {
    this.#writes++;
    this.#askedAtMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * The newest state; the database is asked where none is known, once for all that wait. However long it takes to answer: what
   * it was asked for not long before this call is known to this call.
   * @param read a reading, which calls what `beginReading` gives
   * @param untilDone keeps the reading going when its request has gone
   * @returns undefined: it could not be read
   */
  async current(
    read: () => Promise<unknown>,
    untilDone: (work: Promise<unknown>) => void,
  ): Promise<SeenState | undefined> {
    const known = this.known();
    if (known !== undefined) return known;
    const earliestMs = this.#nowMs() - MAX_AGE_MS;
    // A reading that was begun before a write does not show it.
    const flight = this.#flight;
    if (flight?.writes !== this.#writes || flight.askedAtMs <= earliestMs) this.#takeOff(read, untilDone);
    await inTime(this.#flight?.landed);
    return this.#askedAtMs > earliestMs ? this.#newest : undefined;
  }

  #takeOff(read: () => Promise<unknown>, untilDone: (work: Promise<unknown>) => void): void {
    const askedAtMs = this.#nowMs();
    const landed = read()
      // Whoever waits reads for itself then, and tells what is wrong.
      .catch(() => undefined)
      .finally(() => {
        if (this.#flight === flight) this.#flight = undefined;
      });
    const flight: Flight = { writes: this.#writes, askedAtMs, landed };
    this.#flight = flight;
    untilDone(landed);
  }
}

async function inTime(landed: Promise<unknown> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([landed, late]);
  clearTimeout(timer);
}

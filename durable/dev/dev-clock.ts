/**
 * The clock of a dev chain: the clock of the wall, and what its owner and its blocks have put it forward by. It is kept, and
 * goes on where it was, also after the clock of the wall was put back.
 */
import type { StateStore } from "../state/state-store.ts";

/** Kept in the store. */
const CLOCK = "devClock";

/** Values that the store keeps by name. */
export type MetaRecords = Pick<StateStore, "findMeta" | "putMeta">;

interface ClockRecord {
  /** What the chain's time is ahead of that of the wall, ms. */
  readonly offsetMs: number;
  /** Timestamp that the next block is to have. */
  readonly nextBlockMs?: number;
}

export class DevClock {
  readonly #meta: MetaRecords;
  readonly #wallMs: () => number;
  #record: ClockRecord;
  /** What it has shown last. */
  #shownMs = Number.NEGATIVE_INFINITY;

  /** @param wallMs milliseconds since the epoch */
  constructor(meta: MetaRecords, wallMs: () => number) {
    this.#meta = meta;
    this.#wallMs = wallMs;
    this.#record = readRecord(meta);
  }

  /** To be called after somebody else has changed what is kept: a revert may put the clock back. */
  reload(): void {
    this.#record = readRecord(this.#meta);
    this.#shownMs = Number.NEGATIVE_INFINITY;
  }

  /** What it shows, ms since the epoch: never less than before. */
  nowMs(): number {
    const nowMs = this.#wallMs() + this.#record.offsetMs;
    // The clock of the wall was put back.
    if (nowMs < this.#shownMs) this.#put({ ...this.#record, offsetMs: this.#shownMs - this.#wallMs() });
    this.#shownMs = Math.max(nowMs, this.#shownMs);
    return this.#shownMs;
  }

  /** When the clock of the wall will show what belongs to a time of the chain. */
  wallMsAt(timeMs: number): number {
    return timeMs - this.#record.offsetMs;
  }

  /** What it will show when the clock of the wall shows a time. */
  timeMsAt(wallMs: number): number {
    return wallMs + this.#record.offsetMs;
  }

  /** Timestamp that the next block is to have; undefined: that of its making. */
  get nextBlockMs(): number | undefined {
    return this.#record.nextBlockMs;
  }

  /** Puts it forward, if it does not show as much yet. */
  atLeast(timeMs: number): void {
    if (this.nowMs() < timeMs) this.#put({ ...this.#record, offsetMs: timeMs - this.#wallMs() });
  }

  /** Sets it, also back, and the timestamp of the next block with it. */
  set(timeMs: number): void {
    this.#put({ offsetMs: timeMs - this.#wallMs(), nextBlockMs: timeMs });
    this.#shownMs = timeMs;
  }

  /** Puts it forward, and the timestamp of the next block with it, if one was set. */
  increase(byMs: number): void {
    const { offsetMs, nextBlockMs } = this.#record;
    this.#put({ offsetMs: offsetMs + byMs, ...(nextBlockMs !== undefined && { nextBlockMs: nextBlockMs + byMs }) });
  }

  /** The block that was waited for has been made. */
  blockMade(): void {
    if (this.#record.nextBlockMs !== undefined) this.#put({ offsetMs: this.#record.offsetMs });
  }

  #put(record: ClockRecord): void {
    this.#meta.putMeta(CLOCK, JSON.stringify(record));
    this.#record = record;
  }
}

function readRecord(meta: MetaRecords): ClockRecord {
  const text = meta.findMeta(CLOCK);
  return text === undefined ? { offsetMs: 0 } : (JSON.parse(text) as ClockRecord);
}

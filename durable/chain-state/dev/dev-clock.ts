/**
 * Clock of a dev chain: real time plus the offset that its owner and its blocks have set. The offset is stored, and the
 * clock never goes back when the system's clock does.
 */
import * as z from "zod";
import { LAST_TIME_MS } from "../../../src/network/dev-settings.ts";
import { findRecord, jsonRecord, type MetaStore } from "./meta-record.ts";

const clockSchema = z.object({
  /** Offset of the chain's time from real time, ms. */
  offsetMs: z.int().min(-LAST_TIME_MS).max(LAST_TIME_MS),
  /** Timestamp of the next block. */
  nextBlockMs: z.int().min(0).max(LAST_TIME_MS).exactOptional(),
});
type ClockRecord = Readonly<z.infer<typeof clockSchema>>;

export const clockRecord = jsonRecord<ClockRecord>("devClock", clockSchema);

export class DevClock {
  readonly #meta: MetaStore;
  readonly #wallMs: () => number;
  #record: ClockRecord;
  /** Last time returned. */
  #lastReadMs = Number.NEGATIVE_INFINITY;

  /** @param wallMs real time, ms since the epoch */
  constructor(meta: MetaStore, wallMs: () => number) {
    this.#meta = meta;
    this.#wallMs = wallMs;
    this.#record = readRecord(meta);
  }

  /** To be called after the stored record was changed elsewhere: a revert may set the clock back. */
  reload(): void {
    this.#record = readRecord(this.#meta);
    this.#lastReadMs = Number.NEGATIVE_INFINITY;
  }

  /** Time of the chain, ms since the epoch: never less than before. */
  nowMs(): number {
    const nowMs = this.#wallMs() + this.#record.offsetMs;
    // The system's clock was set back.
    if (nowMs < this.#lastReadMs) this.#put({ ...this.#record, offsetMs: this.#lastReadMs - this.#wallMs() });
    this.#lastReadMs = Math.max(nowMs, this.#lastReadMs);
    return this.#lastReadMs;
  }

  /** Real time at which the chain's clock shows `timeMs`. */
  wallMsAt(timeMs: number): number {
    return timeMs - this.#record.offsetMs;
  }

  /** Time of the chain at a real time. */
  timeMsAt(wallMs: number): number {
    return wallMs + this.#record.offsetMs;
  }

  /** Timestamp of the next block; undefined: the time of forging. */
  get nextBlockMs(): number | undefined {
    return this.#record.nextBlockMs;
  }

  /** Advances the clock to at least this time. */
  atLeast(timeMs: number): void {
    if (this.nowMs() < timeMs) this.#put({ ...this.#record, offsetMs: timeMs - this.#wallMs() });
  }

  /** Sets the clock, also back, and the timestamp of the next block. */
  set(timeMs: number): void {
    this.#put({ offsetMs: timeMs - this.#wallMs(), nextBlockMs: timeMs });
    this.#lastReadMs = timeMs;
  }

  /** Advances the clock, and the timestamp of the next block if it was set. */
  increase(byMs: number): void {
    const { offsetMs, nextBlockMs } = this.#record;
    this.#put({ offsetMs: offsetMs + byMs, ...(nextBlockMs !== undefined && { nextBlockMs: nextBlockMs + byMs }) });
  }

  /** Clears the timestamp of the next block, which was forged. */
  blockMade(): void {
    this.expectBlock(undefined);
  }

  /** @param nextBlockMs timestamp of the next block; undefined: the time of forging */
  expectBlock(nextBlockMs: number | undefined): void {
    if (this.#record.nextBlockMs === nextBlockMs) return;
    const { offsetMs } = this.#record;
    this.#put(nextBlockMs === undefined ? { offsetMs } : { offsetMs, nextBlockMs });
  }

  /** Time of the chain with another state's record, or that of the state's next block if it is later. */
  timeMsWith(meta: Pick<MetaStore, "findMeta">): number {
    const { offsetMs, nextBlockMs = 0 } = readRecord(meta);
    return Math.max(this.#wallMs() + offsetMs, nextBlockMs);
  }

  #put(record: ClockRecord): void {
    this.#meta.putMeta(clockRecord.name, JSON.stringify(record));
    this.#record = record;
  }
}

function readRecord(meta: Pick<MetaStore, "findMeta">): ClockRecord {
  return findRecord(meta, clockRecord) ?? { offsetMs: 0 };
}

/**
 * The clock of a dev chain: the clock of the wall, and what its owner and its blocks have put it forward by. It is kept, and
 * goes on where it was, also after the clock of the wall was put back.
 */
import * as z from "zod";
import { LAST_TIME_MS } from "../../src/network/dev-settings.ts";
import { findRecord, jsonRecord, type MetaRecords } from "./kept-record.ts";

const clockSchema = z.object({
  /** What the chain's time is ahead of that of the wall, ms. */
  offsetMs: z.int().min(-LAST_TIME_MS).max(LAST_TIME_MS),
  /** Timestamp that the next block is to have. */
  nextBlockMs: z.int().min(0).max(LAST_TIME_MS).exactOptional(),
});
type ClockRecord = Readonly<z.infer<typeof clockSchema>>;

export const clockRecord = jsonRecord<ClockRecord>("devClock", clockSchema);

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
    this.expectBlock(undefined);
  }

  /** @param nextBlockMs timestamp that the next block is to have; undefined: that of its making */
  expectBlock(nextBlockMs: number | undefined): void {
    if (this.#record.nextBlockMs === nextBlockMs) return;
    const { offsetMs } = this.#record;
    this.#put(nextBlockMs === undefined ? { offsetMs } : { offsetMs, nextBlockMs });
  }

  /** What it would show with what another state keeps, or be set to with that state's next block. */
  timeMsWith(meta: Pick<MetaRecords, "findMeta">): number {
    const { offsetMs, nextBlockMs = 0 } = readRecord(meta);
    return Math.max(this.#wallMs() + offsetMs, nextBlockMs);
  }

  #put(record: ClockRecord): void {
    this.#meta.putMeta(clockRecord.name, JSON.stringify(record));
    this.#record = record;
  }
}

function readRecord(meta: Pick<MetaRecords, "findMeta">): ClockRecord {
  return findRecord(meta, clockRecord) ?? { offsetMs: 0 };
}

/** What an object takes, in the units that Cloudflare charges for. */
import type { ObjectWork } from "../src/env.ts";

/** A statement's cursor counts while it is read. */
type Cursor = Pick<SqlStorageCursor<never>, "rowsRead" | "rowsWritten">;

/** What has been taken so far. */
export type WorkTotals = { -readonly [Unit in keyof ObjectWork]: number };

export function noWork(): WorkTotals {
  return {
    ...{ requests: 0, activeMs: 0, sqlRowsRead: 0, sqlRowsWritten: 0 },
    ...{ d1Batches: 0, d1RowsRead: 0, d1RowsWritten: 0 },
    ...{ kvWrites: 0, kvFaults: 0 },
  };
}

/** Of one object in memory. What was under way when it is dropped is forgotten. */
export class ObjectWorkMeter {
  readonly #nowMs: () => number;
  readonly #counts: WorkTotals;
  #lastCursor: Cursor | undefined;
  #underWay = 0;
  #sinceMs = 0;

  /** @param counts are added to */
  constructor(nowMs: () => number, counts: WorkTotals) {
    this.#nowMs = nowMs;
    this.#counts = counts;
  }

  /** So far. */
  get work(): ObjectWork {
    this.#takeLast();
    const openMs = this.#underWay > 0 ? this.#nowMs() - this.#sinceMs : 0;
    return { ...this.#counts, activeMs: this.#counts.activeMs + openMs };
  }

  /** A call or an alarm. The time in which one or several are under way counts once. */
  async request<T>(run: () => Promise<T>): Promise<T> {
    this.#counts.requests++;
    return this.during(run);
  }

  /** Something that keeps the object from resting. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    if (this.#underWay++ === 0) this.#sinceMs = this.#nowMs();
    try {
      return await run();
    } finally {
      if (--this.#underWay === 0) this.#counts.activeMs += Math.max(0, this.#nowMs() - this.#sinceMs);
    }
  }

  /** PERF: what a statement has taken is known once it is read to its end, and asked for when the next one begins. */
  statement<Made extends Cursor>(cursor: Made): Made {
    this.#takeLast();
    this.#lastCursor = cursor;
    return cursor;
  }

  /** Cloudflare counts it as a row. */
  alarmSet(): void {
    this.#counts.sqlRowsWritten++;
  }

  /** A batch that D1 has answered. */
  d1Batch(
    results: readonly { readonly meta: { readonly rows_read?: number; readonly rows_written?: number } }[],
  ): void {
    this.#counts.d1Batches++;
    for (const { meta } of results) {
      this.#counts.d1RowsRead += meta.rows_read ?? 0;
      this.#counts.d1RowsWritten += meta.rows_written ?? 0;
    }
  }

  /** KV charges for a write that fails, too. */
  async kvWrite(write: () => Promise<void>): Promise<void> {
    this.#counts.kvWrites++;
    try {
      await write();
    } catch (error) {
      this.#counts.kvFaults++;
      throw error;
    }
  }

  #takeLast(): void {
    if (this.#lastCursor === undefined) return;
    this.#counts.sqlRowsRead += this.#lastCursor.rowsRead;
    this.#counts.sqlRowsWritten += this.#lastCursor.rowsWritten;
    this.#lastCursor = undefined;
  }
}

/** Resources used by an object, in Cloudflare's billing units. */
import type { ObjectWork } from "../src/env.ts";

/** A statement's cursor counts while it is read. */
type Cursor = Pick<SqlStorageCursor<never>, "rowsRead" | "rowsWritten">;

/** Totals so far. */
export type WorkTotals = { -readonly [Unit in keyof ObjectWork]: number };

export function noWork(): WorkTotals {
  return {
    ...{ requests: 0, activeMs: 0, sqlRowsRead: 0, sqlRowsWritten: 0 },
    ...{ d1Batches: 0, d1RowsRead: 0, d1RowsWritten: 0 },
    ...{ kvWrites: 0, kvErrors: 0 },
  };
}

/** Meter of one object in memory. Work in progress is lost when the object is dropped. */
export class ObjectWorkMeter {
  readonly #nowMs: () => number;
  readonly #counts: WorkTotals;
  #lastCursor: Cursor | undefined;
  #underWay = 0;
  #sinceMs = 0;

  /** @param counts totals to which the work is added */
  constructor(nowMs: () => number, counts: WorkTotals) {
    this.#nowMs = nowMs;
    this.#counts = counts;
  }

  /** Totals so far. */
  get work(): ObjectWork {
    this.#countLast();
    const openMs = this.#underWay > 0 ? this.#nowMs() - this.#sinceMs : 0;
    return { ...this.#counts, activeMs: this.#counts.activeMs + openMs };
  }

  /** Runs a call or an alarm. The time in which one or several are in progress counts once. */
  async request<T>(run: () => Promise<T>): Promise<T> {
    this.#counts.requests++;
    return this.during(run);
  }

  /** Runs an operation that keeps the object in memory. */
  async during<T>(run: () => Promise<T>): Promise<T> {
    if (this.#underWay++ === 0) this.#sinceMs = this.#nowMs();
    try {
      return await run();
    } finally {
      if (--this.#underWay === 0) this.#counts.activeMs += Math.max(0, this.#nowMs() - this.#sinceMs);
    }
  }

  /** PERF: the cost of a statement is known once it is read to its end, and is added when the next one starts. */
  statement<Counted extends Cursor>(cursor: Counted): Counted {
    this.#countLast();
    this.#lastCursor = cursor;
    return cursor;
  }

  /** Cloudflare counts an alarm as a row. */
  alarmSet(): void {
    this.#counts.sqlRowsWritten++;
  }

  /** Counts a finished batch of D1. */
  d1Batch(
    results: readonly { readonly meta: { readonly rows_read?: number; readonly rows_written?: number } }[],
  ): void {
    this.#counts.d1Batches++;
    for (const { meta } of results) {
      this.#counts.d1RowsRead += meta.rows_read ?? 0;
      this.#counts.d1RowsWritten += meta.rows_written ?? 0;
    }
  }

  /** KV charges for a failed write, too. */
  async kvWrite(write: () => Promise<void>): Promise<void> {
    this.#counts.kvWrites++;
    try {
      await write();
    } catch (error) {
      this.#counts.kvErrors++;
      throw error;
    }
  }

  #countLast(): void {
    if (this.#lastCursor === undefined) return;
    this.#counts.sqlRowsRead += this.#lastCursor.rowsRead;
    this.#counts.sqlRowsWritten += this.#lastCursor.rowsWritten;
    this.#lastCursor = undefined;
  }
}

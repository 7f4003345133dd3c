/** A fake D1: batches take time, and may be lost, late or repeated. Nothing happens until the caller calls `next`. */
import type { DatabaseSync } from "node:sqlite";
import {
  d1Sink,
  type ReadModelSink,
  type SinkRows,
  type SinkStatement,
} from "../../durable/chain-state/publish/read-model-sink.ts";
import { d1Double } from "../sqlite/d1-double.ts";

/** Fate of a batch; times since it was sent, ms. */
export interface BatchFate {
  /** Arrival times: none, one, or several. */
  readonly landsAfterMs: readonly number[];
  readonly resultAfterMs: number;
  /** True if the sender gets an error, whatever happened to the batch. */
  readonly fails: boolean;
}

export interface DistantReadModelOptions {
  readonly nowMs: () => number;
  readonly fateOf: (batch: SentBatch) => BatchFate;
  /** Delivers a response to the node. */
  readonly deliver: (run: () => void) => Promise<void>;
  /** Called for each batch that arrives and writes. */
  readonly landed: (batch: SentBatch) => void;
}

export interface SentBatch {
  readonly number: number;
}

/** Connection of one object; responses do not reach an object that has ended. */
export interface Connection extends ReadModelSink {
  close(): void;
}

interface PlannedEvent {
  readonly atMs: number;
  readonly batch: SentBatch;
  readonly run: () => Promise<void>;
}

export class DistantReadModel {
  sqlite: DatabaseSync;
  readonly #options: DistantReadModelOptions;
  #happenings: PlannedEvent[] = [];
  #sent = 0;

  constructor(sqlite: DatabaseSync, options: DistantReadModelOptions) {
    this.sqlite = sqlite;
    this.#options = options;
  }

  connect(): Connection {
    let isOpen = true;
    return {
      batch: (statements) => this.#send(statements, () => isOpen),
      close: () => {
        isOpen = false;
      },
    };
  }

  /** Number of the last batch sent. */
  get sent(): number {
    return this.#sent;
  }

  /** Time of the next event; undefined when nothing is in flight. */
  get nextMs(): number | undefined {
    return this.#happenings[0]?.atMs;
  }

  /** Runs the next event. */
  async next(): Promise<void> {
    await this.#happenings.shift()?.run();
  }

  /** Drops the batches after this number, as if never sent. */
  withdraw(after: number): void {
    this.#happenings = this.#happenings.filter(({ batch }) => batch.number <= after);
  }

  #send(statements: readonly SinkStatement[], isAwaited: () => boolean): Promise<readonly SinkRows[]> {
    this.#sent += 1;
    const batch: SentBatch = { number: this.#sent };
    const writes = statements.some(({ sql }) => !sql.startsWith("SELECT"));
    const { landsAfterMs, resultAfterMs, fails } = this.#options.fateOf(batch);
    let outcome: readonly SinkRows[] | Error = new Error("the read model did not respond in time");
    const sentMs = this.#options.nowMs();
    landsAfterMs.forEach((afterMs, index) => {
      this.#plan(sentMs + afterMs, batch, async () => {
        const response = await this.#land(statements);
        if (index === 0) outcome = response;
        if (writes && !(response instanceof Error)) this.#options.landed(batch);
      });
    });
    return new Promise((resolve, reject) => {
      this.#plan(sentMs + resultAfterMs, batch, async () => {
        if (!isAwaited()) return;
        await this.#options.deliver(() => {
          if (fails) reject(new Error("the read model did not respond in time"));
          else if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        });
      });
    });
  }

  async #land(statements: readonly SinkStatement[]): Promise<readonly SinkRows[] | Error> {
    try {
      return await d1Sink(d1Double(this.sqlite).d1).batch(statements);
    } catch (error) {
      return error as Error;
    }
  }

  /** Inserts an event after others at the same time. */
  #plan(atMs: number, batch: SentBatch, run: () => Promise<void>): void {
    const later = this.#happenings.findIndex((other) => other.atMs > atMs);
    this.#happenings.splice(later < 0 ? this.#happenings.length : later, 0, { atMs, batch, run });
  }
}

/**
 * D1 as a node meets it: batches take their time, and on the way anything may become of them. Nothing happens by itself:
 * whoever lets the time pass calls `next`.
 */
import type { DatabaseSync } from "node:sqlite";
import {
  d1Sink,
  type ReadModelSink,
  type SinkRows,
  type SinkStatement,
} from "../../../durable/publish/read-model-sink.ts";
import { d1Double } from "../sqlite/d1-double.ts";

/** What becomes of a batch, in times after it was sent, ms. */
export interface Fate {
  /** When it gets there: never, once, or several times. */
  readonly landsAfterMs: readonly number[];
  readonly answerAfterMs: number;
  /** Whether its sender is told that it failed, whatever became of it. */
  readonly fails: boolean;
}

export interface DistantFacts {
  readonly nowMs: () => number;
  readonly fateOf: (batch: SentBatch) => Fate;
  /** Lets a node take in an answer. */
  readonly deliver: (tell: () => void) => Promise<void>;
  /** Is told of each batch that has landed and writes. */
  readonly landed: (batch: SentBatch) => void;
}

export interface SentBatch {
  readonly number: number;
}

/** What one object's calls go through: answers do not reach an object that is gone. */
export interface Connection extends ReadModelSink {
  close(): void;
}

interface Happening {
  readonly atMs: number;
  readonly batch: SentBatch;
  readonly run: () => Promise<void>;
}

export class DistantReadModel {
  sqlite: DatabaseSync;
  readonly #facts: DistantFacts;
  #happenings: Happening[] = [];
  #sent = 0;

  constructor(sqlite: DatabaseSync, facts: DistantFacts) {
    this.sqlite = sqlite;
    this.#facts = facts;
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

  /** Number of the batch that was sent last. */
  get sent(): number {
    return this.#sent;
  }

  /** When the next thing happens; undefined while nothing is on its way. */
  get nextMs(): number | undefined {
    return this.#happenings[0]?.atMs;
  }

  /** Lets the next thing happen. */
  async next(): Promise<void> {
    await this.#happenings.shift()?.run();
  }

  /** Batches behind the one with the number never left. */
  withdraw(after: number): void {
    this.#happenings = this.#happenings.filter(({ batch }) => batch.number <= after);
  }

  #send(statements: readonly SinkStatement[], isAwaited: () => boolean): Promise<readonly SinkRows[]> {
    this.#sent += 1;
    const batch: SentBatch = { number: this.#sent };
    const writes = statements.some(({ sql }) => !sql.startsWith("SELECT"));
    const { landsAfterMs, answerAfterMs, fails } = this.#facts.fateOf(batch);
    let outcome: readonly SinkRows[] | Error = new Error("the read model gave no answer in time");
    const sentMs = this.#facts.nowMs();
    landsAfterMs.forEach((afterMs, index) => {
      this.#plan(sentMs + afterMs, batch, async () => {
        const answer = await this.#land(statements);
        if (index === 0) outcome = answer;
        if (writes && !(answer instanceof Error)) this.#facts.landed(batch);
      });
    });
    return new Promise((resolve, reject) => {
      this.#plan(sentMs + answerAfterMs, batch, async () => {
        if (!isAwaited()) return;
        await this.#facts.deliver(() => {
          if (fails) reject(new Error("the read model gave no answer in time"));
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

  /** Behind what happens at the same time. */
  #plan(atMs: number, batch: SentBatch, run: () => Promise<void>): void {
    const later = this.#happenings.findIndex((other) => other.atMs > atMs);
    this.#happenings.splice(later < 0 ? this.#happenings.length : later, 0, { atMs, batch, run });
  }
}

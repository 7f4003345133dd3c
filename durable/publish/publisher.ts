/**
 * Copies what changed in ChainState to the read model in D1. The outbox holds the rows as they were written to the tables,
 * in order; the publisher writes them once more, and only then takes them out. So a crash at any point repeats a step,
 * and a rollback is published like any other change. A read model that is not as it was left (it was lost, restored, or
 * belongs to another chain) is written anew from the tables.
 */

import { genesisOf } from "../../src/tables/chain.ts";
import { SchemaRefused } from "../../src/tables/migrations/upgrade.ts";
import type { PublishedState } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { isCleared, progressText } from "./copy-tables.ts";
import { nextBatch } from "./next-batch.ts";
import { openReadModel } from "./open-read-model.ts";
import { newestEntry, Publication } from "./publication.ts";
import type { ReadModelSink, SinkRows } from "./read-model-sink.ts";
import { UnpublishedChanges } from "./unpublished-changes.ts";
import { WaitingLength } from "./waiting-length.ts";

export interface PublisherFacts {
  readonly store: StateStore;
  readonly readModel: ReadModelSink;
  /** See `genesisText`. */
  readonly genesis: string;
  /** Height of the first block that the chain knows. */
  readonly historyFrom: number;
  /** Of the network. */
  readonly chainId: number;
  /** What no other start of any node has drawn. */
  readonly drawn: string;
  readonly state: () => PublishedState;
  readonly nowMs: () => number;
  /** Is told, once, why nothing is published until the next start. */
  readonly onRefused: (refusal: SchemaRefused) => void;
  /** Length of the texts that may wait in the outbox. With more of them it is shorter to write the tables anew. */
  readonly maxWaitingLength?: number;
  /** Length of the texts of one batch. */
  readonly maxBatchLength?: number;
  /** Is told, in sentences, why the read model is written anew and how far it has come. */
  readonly onCopy: (sentence: string) => void;
}

/** By default. */
const MAX_WAITING_LENGTH = 200_000_000;

const lookSql = "SELECT identity, batch FROM chain WHERE id = 1";

export class Publisher {
  readonly #facts: PublisherFacts;
  readonly #publication: Publication;
  #running: Promise<void> | undefined;
  /** Whether the read model is known to have this release's tables, and in them what this node left there. */
  #opened: "not yet" | "yes" | "refused" = "not yet";
  readonly #waiting: WaitingLength;
  readonly #changes = new UnpublishedChanges();
  /** Since when the read model is written anew; undefined: it is whole. */
  #copyingSinceMs: number | undefined;
  /** What was said last. */
  #progress: string | undefined;

  constructor(facts: PublisherFacts) {
    this.#facts = facts;
    const { store, genesis, drawn, historyFrom, state } = facts;
    this.#waiting = new WaitingLength(store);
    this.#publication = new Publication(store, { genesis, drawn, historyFrom, tip: state() });
    this.changed();
    this.#lookForCopying();
  }

  /** To be called after each change of the chain. */
  changed(): void {
    const { store, nowMs } = this.#facts;
    this.#changes.changed(newestEntry(store), this.#publication.sequence, nowMs());
  }

  /** How long the oldest change waits that readers cannot see, or how long they see nothing at all; 0 when they see all. */
  get unpublishedMs(): number {
    const nowMs = this.#facts.nowMs();
    const copyingMs = this.#copyingSinceMs === undefined ? 0 : nowMs - this.#copyingSinceMs;
    return Math.max(copyingMs, this.#changes.ageMs(this.#publication.sequence, nowMs));
  }

  /** Of what the read model shows (see `identityOf`). */
  get identity(): string {
    return this.#publication.identity;
  }

  #lookForCopying(): void {
    const isCopying = this.#publication.copied !== undefined;
    this.#copyingSinceMs = isCopying ? (this.#copyingSinceMs ?? this.#facts.nowMs()) : undefined;
  }

  /** Whether the read model shows the tables' present state. */
  get isUpToDate(): boolean {
    return (
      this.#opened === "yes" && this.#publication.copied === undefined && newestEntry(this.#facts.store) === undefined
    );
  }

  /** How many of the tables are written, of a read model that is written anew. */
  get copying(): string | undefined {
    const { copied } = this.#publication;
    return copied && progressText(this.#facts.store.tables, copied);
  }

  /** Whether there is something that `drain` would publish. */
  get hasWork(): boolean {
    return this.#opened !== "refused" && !this.isUpToDate;
  }

  /** Lets `drain` look whether the read model is still as it was left, even where nothing is to be published. */
  lookAgain(): void {
    if (this.#opened === "yes") this.#opened = "not yet";
  }

  /**
   * Publishes until the outbox is empty; nothing once the read model was refused, but what waits stays bounded. Calls at the same time share one run.
   * @throws the database's error; what was not published stays in the outbox
   */
  async drain(): Promise<void> {
    if (this.#opened === "refused") this.bound();
    while (this.hasWork) {
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
      await this.#running;
    }
  }

  async #run(): Promise<void> {
    try {
      await (this.#opened === "yes" ? this.#step() : this.#open());
    } catch (error) {
      // The batch may have landed all the same, and the database may be another one when it answers again.
      this.lookAgain();
      throw error;
    } finally {
      this.#bound();
      this.#lookForCopying();
    }
  }

  async #open(): Promise<void> {
    try {
      await openReadModel(this.#facts.readModel);
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error;
      this.#opened = "refused";
      this.#facts.onRefused(error);
      return;
    }
    const [[row] = []] = await this.#facts.readModel.batch([{ sql: lookSql, bindings: [] }]);
    const batch = row && String(row["batch"]);
    if (!this.#publication.meet(batch)) {
      this.#facts.onCopy(`${this.#difference(row)}: it is written anew`);
      this.#publication.startAnew(batch);
    }
    // A batch whose answer was lost has taken its entries with it.
    this.#waiting.forget();
    this.#opened = "yes";
  }

  /** @param row of the table chain */
  #difference(row: SinkRows[number] | undefined): string {
    if (row === undefined) return "the read model is empty";
    if (row["batch"] === "") return "the read model is of an earlier release";
    const genesis = genesisOf(String(row["identity"]));
    if (genesis !== "" && genesis !== this.#facts.genesis)
      return `the read model shows another chain, with genesis ${genesis}`;
    return "the read model is not as this node left it";
  }

  async #step(): Promise<void> {
    const { store, readModel, chainId, nowMs, maxBatchLength: maxLength } = this.#facts;
    const publication = this.#publication;
    const { state } = this.#facts;
    const isClearing = publication.copied?.step === "clear";
    const batch = nextBatch({ store, publication, chainId, state, nowMs: nowMs(), maxLength });
    const { statements, sent } = batch;
    publication.sending(sent, batch.state);
    const answers = await readModel.batch(statements);
    publication.landed(sent.batch);
    this.#waiting.left(sent.sequence, batch.entriesLength);
    if (isClearing && isCleared(answers.at(-1))) publication.startCopying();
    if (sent.copied?.step === "copy") this.#sayProgress(progressText(store.tables, sent.copied));
  }

  #sayProgress(progress: string): void {
    if (progress !== this.#progress) this.#facts.onCopy(`the read model is written anew: ${progress}`);
    this.#progress = progress;
  }

  /** What cannot be published takes its place in the database, but not any place. To be called now and then. */
  bound(): void {
    // A batch that is under way must find what it brings: its end is waited for, which has a time limit.
    if (this.#running === undefined) this.#bound();
  }

  #bound(): void {
    const { onCopy, maxWaitingLength = MAX_WAITING_LENGTH } = this.#facts;
    if (this.#waiting.measure() <= maxWaitingLength) return;
    onCopy("more waits for the read model than is kept: it is written anew once it answers");
    this.#publication.startAnew(this.#publication.batch);
    this.#waiting.dropped();
  }
}

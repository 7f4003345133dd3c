/**
 * Publishing of ChainState's changes to the read model in D1. The outbox has the rows in the order of writing; the
 * publisher writes them to D1, and only then removes them. So a crash at any point repeats a batch, and a rollback is
 * published like any other change. A read model that is not as the node left it (lost, restored, or of another chain)
 * is rewritten from the tables.
 */

import { genesisOf } from "../../../src/tables/chain.ts";
import { SchemaRefused } from "../../../src/tables/migrations/upgrade.ts";
import type { PublishedState } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { isCleared, progressText } from "./copy-tables.ts";
import { nextBatch } from "./next-batch.ts";
import { openReadModel } from "./open-read-model.ts";
import { OutboxLength } from "./outbox-length.ts";
import { newestEntry, Publication } from "./publication.ts";
import type { ReadModelSink, SinkRows } from "./read-model-sink.ts";
import { UnpublishedChanges } from "./unpublished-changes.ts";

export interface PublisherOptions {
  readonly store: StateStore;
  readonly readModel: ReadModelSink;
  /** See `genesisText`. */
  readonly genesis: string;
  /** Height of the first block that the chain has. */
  readonly historyFrom: number;
  /** Chain id of the network. */
  readonly chainId: number;
  /** Random text, unique for each start of any node. */
  readonly drawn: string;
  readonly state: () => PublishedState;
  readonly nowMs: () => number;
  /** Called once with the reason why nothing is published until the next start. */
  readonly onRefused: (refusal: SchemaRefused) => void;
  /** Maximum length of the texts in the outbox. Beyond it a rewrite of the tables is shorter. */
  readonly maxWaitingLength?: number;
  /** Length of the texts of one batch. */
  readonly maxBatchLength?: number;
  /** Receives messages: why the read model is rewritten, and the progress. */
  readonly onCopy: (message: string) => void;
}

/** Default. */
const MAX_WAITING_LENGTH = 200_000_000;

const lookSql = "SELECT identity, batch FROM chain WHERE id = 1";

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #publication: Publication;
  #running: Promise<void> | undefined;
  /** Whether the read model is known to have this release's tables with the contents that this node left there. */
  #opened: "not yet" | "yes" | "refused" = "not yet";
  readonly #waiting: OutboxLength;
  readonly #changes = new UnpublishedChanges();
  /** Time since when the read model is being rewritten; undefined: it is complete. */
  #copyingSinceMs: number | undefined;
  /** Last reported progress. */
  #progress: string | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    const { store, genesis, drawn, historyFrom, state } = options;
    this.#waiting = new OutboxLength(store);
    this.#publication = new Publication(store, { genesis, drawn, historyFrom, tip: state() });
    this.changed();
    this.#lookForCopying();
  }

  /** To be called after each change of the chain. */
  changed(): void {
    const { store, nowMs } = this.#options;
    this.#changes.changed(newestEntry(store), this.#publication.sequence, nowMs());
  }

  /**
   * Time that the oldest unpublished change has waited, or since readers see nothing at all; 0 if everything is
   * published.
   */
  get unpublishedMs(): number {
    const nowMs = this.#options.nowMs();
    const copyingMs = this.#copyingSinceMs === undefined ? 0 : nowMs - this.#copyingSinceMs;
    return Math.max(copyingMs, this.#changes.ageMs(this.#publication.sequence, nowMs));
  }

  /** Identity of the read model's contents (see `identityOf`). */
  get identity(): string {
    return this.#publication.identity;
  }

  #lookForCopying(): void {
    const isCopying = this.#publication.copied !== undefined;
    this.#copyingSinceMs = isCopying ? (this.#copyingSinceMs ?? this.#options.nowMs()) : undefined;
  }

  /** Whether the read model shows the tables' present state. */
  get isUpToDate(): boolean {
    return (
      this.#opened === "yes" && this.#publication.copied === undefined && newestEntry(this.#options.store) === undefined
    );
  }

  /** Progress text while the read model is being rewritten. */
  get copying(): string | undefined {
    const { copied } = this.#publication;
    return copied && progressText(this.#options.store.tables, copied);
  }

  /** Whether there is something that `drain` would publish. */
  get hasWork(): boolean {
    return this.#opened !== "refused" && !this.isUpToDate;
  }

  /** Makes `drain` check whether the read model is still as it was left, even if nothing is to be published. */
  lookAgain(): void {
    if (this.#opened === "yes") this.#opened = "not yet";
  }

  /**
   * Publishes until the outbox is empty. After a refusal it only bounds the outbox. Concurrent calls share one run.
   * @throws the database's error; unpublished rows stay in the outbox
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
      // The batch may have landed all the same, and the database may have been replaced when it responds again.
      this.lookAgain();
      throw error;
    } finally {
      this.#bound();
      this.#lookForCopying();
    }
  }

  async #open(): Promise<void> {
    try {
      await openReadModel(this.#options.readModel);
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error;
      this.#opened = "refused";
      this.#options.onRefused(error);
      return;
    }
    const [[row] = []] = await this.#options.readModel.batch([{ sql: lookSql, bindings: [] }]);
    const batch = row && String(row["batch"]);
    if (!this.#publication.meet(batch)) {
      this.#options.onCopy(`${this.#difference(row)}: it is rewritten`);
      this.#publication.restart(batch);
    }
    // A batch whose response was lost has removed its entries.
    this.#waiting.forget();
    this.#opened = "yes";
  }

  /** @param row of the table chain */
  #difference(row: SinkRows[number] | undefined): string {
    if (row === undefined) return "the read model is empty";
    if (row["batch"] === "") return "the read model is of an earlier release";
    const genesis = genesisOf(String(row["identity"]));
    if (genesis !== "" && genesis !== this.#options.genesis)
      return `the read model shows another chain, with genesis ${genesis}`;
    return "the read model is not as this node left it";
  }

  async #step(): Promise<void> {
    const { store, readModel, chainId, nowMs, maxBatchLength: maxLength } = this.#options;
    const publication = this.#publication;
    const { state } = this.#options;
    const isClearing = publication.copied?.step === "clear";
    const batch = nextBatch({ store, publication, chainId, state, nowMs: nowMs(), maxLength });
    const { statements, sent } = batch;
    publication.sending(sent, batch.state);
    const results = await readModel.batch(statements);
    publication.landed(sent.batch);
    this.#waiting.removed(sent.sequence, batch.entriesLength);
    if (isClearing && isCleared(results.at(-1))) publication.startCopying();
    if (sent.copied?.step === "copy") this.#reportProgress(progressText(store.tables, sent.copied));
  }

  #reportProgress(progress: string): void {
    if (progress !== this.#progress) this.#options.onCopy(`the read model is being rewritten: ${progress}`);
    this.#progress = progress;
  }

  /** Bounds the size of the outbox. To be called regularly. */
  bound(): void {
    // A running batch must find its entries: its end comes first, which has a time limit.
    if (this.#running === undefined) this.#bound();
  }

  #bound(): void {
    const { onCopy, maxWaitingLength = MAX_WAITING_LENGTH } = this.#options;
    if (this.#waiting.measure() <= maxWaitingLength) return;
    onCopy("the outbox has reached its limit: the read model is rewritten once it responds");
    this.#publication.restart(this.#publication.batch);
    this.#waiting.dropped();
  }
}

/**
 * What ChainState knows of the read model, in its own table: a start goes on where the last one stood. Every batch has a
 * name that no other one has, and lands only on the batch that was known when it was made. So of the batches that were
 * sent since the last one known, whatever became of them, at most one has landed, and its name says which.
 */
import { identityOf } from "../../src/tables/chain.ts";
import { type PublicationRow, publicationTable, sentBatchTable } from "../../src/tables/publication.ts";
import type { JsonCell } from "../../src/tables/schema/cell.ts";
import { findRow, insertRow, putRow, queryRows } from "../state/plain-rows.ts";
import type { ShownPlace } from "../state/shown-place.ts";
import type { StateStore } from "../state/state-store.ts";

/** How far the tables of the read model are written anew. */
export type Copied =
  /** What they held is being removed. */
  | { readonly step: "clear" }
  /** Those before the table with the number are there, and of this one the rows up to a key. */
  | { readonly step: "copy"; readonly table: number; readonly upTo?: readonly JsonCell[] };

/** What is true once a batch has landed. */
export interface SentBatch {
  readonly batch: string;
  /** Of the last outbox entry that the read model then has. */
  readonly sequence: number;
  readonly isWhole: boolean;
  /** Absent once all tables are there. */
  readonly copied?: Copied;
}

/** Batches that are remembered while the database says nothing: one that is older lands no more. */
const MAX_SENT = 16;

export class Publication {
  readonly #store: StateStore;
  readonly #genesis: string;
  readonly #drawn: string;
  #count = 0;

  /**
   * @param genesis see `genesisText`
   * @param drawn what no other start of any node has drawn
   * @param tip of the chain: a database that knows of no read model takes it that what it has is shown
   */
  constructor(store: StateStore, { genesis, drawn, tip }: { genesis: string; drawn: string; tip: ShownPlace }) {
    this.#store = store;
    this.#genesis = genesis;
    this.#drawn = drawn;
    if (this.#found() !== undefined) return;
    this.#put({
      ...{ id: 1, identity: this.#newIdentity(), sequence: 0, batch: undefined, copied: textOf({ step: "clear" }) },
      ...{ shownHeight: tip.height, shownTransactions: tip.transactions },
    });
  }

  get identity(): string {
    return this.#row().identity;
  }

  /** Of the last outbox entry that the read model has. */
  get sequence(): number {
    return this.#row().sequence;
  }

  /** Name of the batch that the read model has; undefined where it has none. */
  get batch(): string | undefined {
    return this.#row().batch;
  }

  /** Undefined once all tables are in the read model. */
  get copied(): Copied | undefined {
    const { copied } = this.#row();
    return copied === undefined ? undefined : (JSON.parse(copied) as Copied);
  }

  /** A name for a batch. */
  newName(): string {
    this.#count += 1;
    return `${this.#drawn}.${this.#count}`;
  }

  /** To be called before a batch is sent. @param tip what the read model shows if it lands and then is whole */
  sending(sent: SentBatch, { height, transactions }: ShownPlace): void {
    const { batch, sequence, isWhole } = sent;
    const shown = { shownHeight: height, shownTransactions: transactions };
    const { sql } = this.#store;
    insertRow(sql, sentBatchTable, { batch, sequence, isWhole, copied: textOf(sent.copied), ...shown });
    sql.exec("DELETE FROM sent_batch WHERE number <= (SELECT MAX(number) FROM sent_batch) - ?", MAX_SENT);
  }

  /** A batch that was sent has landed: what it brought need not be kept any more. @throws Error when none was sent */
  landed(batch: string): void {
    const [sent] = this.#sent(batch);
    if (sent === undefined) throw new Error(`the batch ${batch} was not sent`);
    const { sequence, isWhole, copied, shownHeight, shownTransactions } = sent;
    this.#store.sql.transaction(() => {
      const shown = isWhole && { shownHeight, shownTransactions };
      this.#put({ ...this.#row(), batch, sequence, copied, ...shown });
      this.#forgetSent();
      this.#store.rows("DELETE FROM outbox WHERE seq <= ?", sequence);
    });
  }

  /**
   * Compares with what the read model says.
   * @param batch the one that it has, undefined for none
   * @returns false when it is not as this node left it
   */
  meet(batch: string | undefined): boolean {
    if (batch === this.#row().batch) return true;
    if (batch === undefined || this.#sent(batch).length === 0) return false;
    this.landed(batch);
    return true;
  }

  /**
   * The read model's tables are to be written anew. What waits in the outbox is in the tables.
   * @param batch the one that the read model has
   */
  startAnew(batch: string | undefined): void {
    this.#copyFrom({ step: "clear" }, { identity: this.#newIdentity(), batch });
  }

  /** The read model's tables are empty. */
  startCopying(): void {
    this.#copyFrom({ step: "copy", table: 0 });
  }

  #copyFrom(copied: Copied, changed: Partial<PublicationRow> = {}): void {
    this.#store.sql.transaction(() => {
      const row = this.#row();
      const sequence = newestEntry(this.#store) ?? row.sequence;
      this.#put({ ...row, ...changed, sequence, copied: textOf(copied) });
      this.#forgetSent();
      this.#store.rows("DELETE FROM outbox");
    });
  }

  #sent(batch: string) {
    return queryRows(this.#store.sql, sentBatchTable, "WHERE batch = ?", batch);
  }

  #forgetSent(): void {
    this.#store.sql.exec("DELETE FROM sent_batch");
  }

  #newIdentity(): string {
    return identityOf(this.#genesis, this.newName());
  }

  #found(): PublicationRow | undefined {
    return findRow(this.#store.sql, publicationTable, { id: 1 });
  }

  #row(): PublicationRow {
    const row = this.#found();
    if (row === undefined) throw new Error("the table publication has no row");
    return row;
  }

  #put(row: PublicationRow): void {
    putRow(this.#store.sql, publicationTable, row);
  }
}

/** Number of the newest outbox entry, undefined when none waits. */
export function newestEntry(store: StateStore): number | undefined {
  const newest = store.scalar("SELECT MAX(seq) FROM outbox");
  return newest === null || newest === undefined ? undefined : Number(newest);
}

function textOf(copied: Copied | undefined): string | undefined {
  return copied && JSON.stringify(copied);
}

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

/** What the read model has, as far as is known. */
interface Known {
  readonly identity: string;
  readonly sequence: number;
  readonly batch: string | undefined;
  readonly copied: Copied | undefined;
}

/** Batches that are remembered while the database says nothing: one that is older lands no more. */
const MAX_SENT = 16;

export interface PublicationFacts {
  readonly genesis: string;
  readonly drawn: string;
  readonly historyFrom: number;
  readonly tip: ShownPlace;
}

export class Publication {
  readonly #store: StateStore;
  readonly #genesis: string;
  readonly #drawn: string;
  readonly #historyFrom: number;
  #count = 0;
  /** What the table says, but for what is shown: a rollback lowers that. */
  #known: Known;
  /** Rows of `sent_batch` at most. */
  #sentCount = MAX_SENT;

  /**
   * @param genesis see `genesisText`
   * @param drawn what no other start of any node has drawn
   * @param historyFrom height of the first block that the chain knows
   * @param tip of the chain: a database that knows of no read model takes it that what it has is shown
   */
  constructor(store: StateStore, { genesis, drawn, historyFrom, tip }: PublicationFacts) {
    this.#historyFrom = historyFrom;
    this.#store = store;
    this.#genesis = genesis;
    this.#drawn = drawn;
    const found = findRow(store.sql, publicationTable, { id: 1 });
    if (found !== undefined) {
      this.#known = knownOf(found);
      return;
    }
    this.#known = { identity: this.#newIdentity(), sequence: 0, batch: undefined, copied: { step: "clear" } };
    putRow(store.sql, publicationTable, {
      ...{ id: 1, ...this.#known, copied: textOf(this.#known.copied) },
      ...{ shownHeight: tip.height, shownTransactions: tip.transactions },
    });
  }

  get identity(): string {
    return this.#known.identity;
  }

  /** Of the last outbox entry that the read model has. */
  get sequence(): number {
    return this.#known.sequence;
  }

  /** Name of the batch that the read model has; undefined where it has none. */
  get batch(): string | undefined {
    return this.#known.batch;
  }

  /** Undefined once all tables are in the read model. */
  get copied(): Copied | undefined {
    return this.#known.copied;
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
    this.#sentCount += 1;
    if (this.#sentCount <= MAX_SENT) return;
    sql.exec("DELETE FROM sent_batch WHERE number <= (SELECT MAX(number) FROM sent_batch) - ?", MAX_SENT);
    this.#sentCount = MAX_SENT;
  }

  /** A batch that was sent has landed: what it brought need not be kept any more. @throws Error when none was sent */
  landed(batch: string): void {
    const [sent] = this.#sent(batch);
    if (sent === undefined) throw new Error(`the batch ${batch} was not sent`);
    const { sequence, isWhole, copied, shownHeight, shownTransactions } = sent;
    const { sql } = this.#store;
    const known = { ...this.#known, batch, sequence, copied: copiedOf(copied) };
    this.#write(known, () => {
      if (isWhole)
        sql.exec("UPDATE publication SET shown_height = ?, shown_transactions = ?", shownHeight, shownTransactions);
      sql.exec("DELETE FROM outbox WHERE seq <= ?", sequence);
    });
  }

  /**
   * Compares with what the read model says.
   * @param batch the one that it has, undefined for none
   * @returns false when it is not as this node left it
   */
  meet(batch: string | undefined): boolean {
    if (batch === this.#known.batch) return true;
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

  #copyFrom(copied: Copied, changed: Partial<Known> = {}): void {
    const sequence = newestEntry(this.#store) ?? this.#known.sequence;
    this.#write({ ...this.#known, ...changed, sequence, copied }, () => {
      this.#store.sql.exec("DELETE FROM outbox");
    });
  }

  /** All or nothing; memory comes last. */
  #write(known: Known, more: () => void): void {
    const { sql } = this.#store;
    const { identity, sequence, batch, copied } = known;
    sql.transaction(() => {
      sql.exec(
        "UPDATE publication SET identity = ?, sequence = ?, batch = ?, copied = ?",
        identity,
        sequence,
        batch ?? null,
        textOf(copied) ?? null,
      );
      sql.exec("DELETE FROM sent_batch");
      more();
    });
    this.#known = known;
    this.#sentCount = 0;
  }

  #sent(batch: string) {
    return queryRows(this.#store.sql, sentBatchTable, "WHERE batch = ?", batch);
  }

  #newIdentity(): string {
    return identityOf(this.#genesis, this.newName(), this.#historyFrom);
  }
}

/** Number of the newest outbox entry, undefined when none waits. */
export function newestEntry(store: StateStore): number | undefined {
  const newest = store.scalar("SELECT MAX(seq) FROM outbox");
  return newest === null || newest === undefined ? undefined : Number(newest);
}

function knownOf({ identity, sequence, batch, copied }: PublicationRow): Known {
  return { identity, sequence, batch, copied: copiedOf(copied) };
}

function copiedOf(text: string | undefined): Copied | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Copied);
}

function textOf(copied: Copied | undefined): string | undefined {
  return copied && JSON.stringify(copied);
}

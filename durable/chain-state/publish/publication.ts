/**
 * ChainState's knowledge of the read model, stored in its own table, so that a start continues where the last one
 * ended. Every batch has a unique name, and lands only on top of the batch that was known when it was made. So at most
 * one of the batches sent since the last known one has landed, and its name tells which.
 */
import { identityOf } from "../../../src/tables/chain.ts";
import { type PublicationRow, publicationTable, sentBatchTable } from "../../../src/tables/publication.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import { findRow, insertRow, putRow, queryRows } from "../../sql/plain-rows.ts";
import type { PublishedPosition } from "../state/published-position.ts";
import type { StateStore } from "../state/state-store.ts";

/** Progress of rewriting the read model's tables. */
export type Copied =
  /** The old rows are being removed. */
  | { readonly step: "clear" }
  /** The tables before this number are complete, and this one up to a key. */
  | { readonly step: "copy"; readonly table: number; readonly upTo?: readonly JsonCell[] };

/** Values that hold once a batch has landed. */
export interface SentBatch {
  readonly batch: string;
  /** Number of the last outbox entry in the read model. */
  readonly sequence: number;
  readonly isWhole: boolean;
  /** Absent once all tables are complete. */
  readonly copied?: Copied;
}

/** Known contents of the read model. */
interface Known {
  readonly identity: string;
  readonly sequence: number;
  readonly batch: string | undefined;
  readonly copied: Copied | undefined;
}

/** Maximum of remembered batches while the database does not respond: an older one cannot land any more. */
const MAX_SENT = 16;

export interface PublicationOptions {
  readonly genesis: string;
  readonly drawn: string;
  readonly historyFrom: number;
  readonly tip: PublishedPosition;
}

export class Publication {
  readonly #store: StateStore;
  readonly #genesis: string;
  readonly #drawn: string;
  readonly #historyFrom: number;
  #count = 0;
  /** Row of the table except the shown position, which a rollback lowers. */
  #known: Known;
  /** Upper bound of the rows of `sent_batch`. */
  #sentCount = MAX_SENT;

  /**
   * @param genesis see `genesisText`
   * @param drawn random text, unique for each start of any node
   * @param historyFrom height of the first block that the chain has
   * @param tip tip of the chain, which a database without a record of the read model takes as the shown position
   */
  constructor(store: StateStore, { genesis, drawn, historyFrom, tip }: PublicationOptions) {
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

  /** Number of the last outbox entry in the read model. */
  get sequence(): number {
    return this.#known.sequence;
  }

  /** Name of the last batch in the read model; undefined: none. */
  get batch(): string | undefined {
    return this.#known.batch;
  }

  /** Undefined once all tables are in the read model. */
  get copied(): Copied | undefined {
    return this.#known.copied;
  }

  /** Unique name for a batch. */
  newName(): string {
    this.#count += 1;
    return `${this.#drawn}.${this.#count}`;
  }

  /**
   * To be called before a batch is sent.
   * @param tip position that the read model shows if the batch lands and completes it
   */
  sending(sent: SentBatch, { height, transactions }: PublishedPosition): void {
    const { batch, sequence, isWhole } = sent;
    const shown = { shownHeight: height, shownTransactions: transactions };
    const { sql } = this.#store;
    insertRow(sql, sentBatchTable, { batch, sequence, isWhole, copied: textOf(sent.copied), ...shown });
    this.#sentCount += 1;
    if (this.#sentCount <= MAX_SENT) return;
    sql.exec("DELETE FROM sent_batch WHERE number <= (SELECT MAX(number) FROM sent_batch) - ?", MAX_SENT);
    this.#sentCount = MAX_SENT;
  }

  /** Notes that a sent batch has landed, and deletes its outbox entries. @throws Error if it was not sent */
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
   * Compares with the batch in the read model.
   * @param batch name of that batch, undefined for none
   * @returns false if the read model is not as this node left it
   */
  meet(batch: string | undefined): boolean {
    if (batch === this.#known.batch) return true;
    if (batch === undefined || this.#sent(batch).length === 0) return false;
    this.landed(batch);
    return true;
  }

  /**
   * Starts to rewrite the read model's tables. The outbox is dropped, since its rows are in the tables.
   * @param batch name of the batch in the read model
   */
  restart(batch: string | undefined): void {
    this.#copyFrom({ step: "clear" }, { identity: this.#newIdentity(), batch });
  }

  /** Starts to copy after the read model's tables are empty. */
  startCopying(): void {
    this.#copyFrom({ step: "copy", table: 0 });
  }

  #copyFrom(copied: Copied, changed: Partial<Known> = {}): void {
    const sequence = newestEntry(this.#store) ?? this.#known.sequence;
    this.#write({ ...this.#known, ...changed, sequence, copied }, () => {
      this.#store.sql.exec("DELETE FROM outbox");
    });
  }

  /** All or nothing; the fields are set last. */
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

/** Number of the newest outbox entry, undefined if there is none. */
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

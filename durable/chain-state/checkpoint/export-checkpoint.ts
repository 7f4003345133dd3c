/**
 * Export of a checkpoint from the present tables: one part of rows after the other, each read from the last key of the
 * previous one.
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { CheckpointPast, CheckpointPosition } from "../../../src/env.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { SCHEMA_VERSION } from "../../../src/tables/migrations/all-migrations.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import { sqlNameOf } from "../../../src/tables/schema/column.ts";
import { sizeSql } from "../../../src/tables/schema/column-sql.ts";
import { keyOfCells, keyText, rowText } from "../../../src/tables/schema/row-text.ts";
import { bindKey } from "../../../src/tables/schema/stored-row.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import type { Chain } from "../chain/open-chain.ts";
import type { StateStore } from "../state/state-store.ts";
import { type CarriedFrom, carriedFrom, carriedTables, isCarried, keyBefore } from "./carried-tables.ts";
import { type CheckpointHead, CheckpointRefused, checkpointHead, stateHashText, type TableEntry } from "./manifest.ts";

/** Maximum of rows in one read. */
const READ_ROWS = 10_000;
/**
 * Approximate number of characters of a part, which exists a few times in memory while it is written or read. A single
 * row may have more.
 */
const PART_CHARACTERS = 500_000;
/** Maximum of reads in one call when most rows of a table are not included: ChainState does nothing else meanwhile. */
const PASSED_READINGS = 20;

export interface ExportedRows {
  /** Undefined: there are no rows between the position and the next one. */
  readonly part: { readonly table: string; readonly rows: number; readonly text: string } | undefined;
  /** Undefined: this was the last part. */
  readonly next: CheckpointPosition | undefined;
}

export interface CheckpointExportOptions {
  readonly store: StateStore;
  readonly chain: Pick<Chain, "view" | "stored">;
  /** `db.max-rollback-depth`. */
  readonly maxRollbackDepth: number;
  readonly past: CheckpointPast;
}

/** Table entries for the manifest. */
export function exportedTables(): readonly Omit<TableEntry, "rows">[] {
  return carriedTables.map(({ name, columns }) => ({
    name,
    columns: [...columns].map(([field, column]) => sqlNameOf(field, column)),
  }));
}

/** Export of one state: it fails once the chain has changed. */
export class CheckpointExport {
  readonly head: CheckpointHead;
  readonly past: CheckpointPast;
  readonly #store: StateStore;
  readonly #stored: Chain["stored"];
  readonly #from: CarriedFrom;
  readonly #version: string;

  /** @throws CheckpointRefused */
  constructor({ store, chain: { view, stored }, maxRollbackDepth, past }: CheckpointExportOptions) {
    const { height, id, stateHash } = stored.tip();
    if (height < 2) throw new CheckpointRefused("the chain has only its genesis block: no checkpoint is needed");
    this.#store = store;
    this.#stored = stored;
    this.past = past;
    this.#from = carriedFrom({ store, view, past });
    this.#version = stored.state().version;
    this.head = checkpointHead({
      schema: SCHEMA_VERSION,
      genesis: genesisText(view.settings),
      height,
      blockId: encodeBase58(id),
      stateHash: stateHashText(stateHash),
      firstHeight: this.#from.ofItsBlocks,
      finalizedHeight: stored.finalizedHeight(),
      historyBlocks: maxRollbackDepth,
    });
  }

  /** Next rows. @throws CheckpointRefused the chain has changed */
  rows(position: CheckpointPosition): ExportedRows {
    if (this.#stored.state().version !== this.#version)
      throw new CheckpointRefused("the chain has changed while the checkpoint was written");
    let next: CheckpointPosition | undefined = position;
    for (let reading = 0; reading < PASSED_READINGS && next !== undefined; reading++) {
      const table = carriedTables[next.table];
      if (table === undefined) return { part: undefined, next: undefined };
      const page = this.#page(table, next.after);
      const rows = page.rows.filter((row) => isCarried(table, row, this.#from));
      next = this.#positionAfter(next.table, table, page);
      if (rows.length > 0) {
        const text = `[${rows.map((row) => rowText(table, row)).join(",")}]`;
        return { part: { table: table.name, rows: rows.length, text }, next };
      }
    }
    return { part: undefined, next };
  }

  #positionAfter(number: number, table: Table, { rows, isLast }: Page): CheckpointPosition | undefined {
    const last = rows.at(-1);
    if (!isLast && last !== undefined) return { table: number, after: keyText(table, last) };
    return number + 1 < carriedTables.length ? { table: number + 1 } : undefined;
  }

  /** Reads as many rows as fit into a part, and at least one, however long it is. */
  #page(table: Table, after: string | undefined): Page {
    const key = after === undefined ? keyBefore(table, this.#from) : keyOfCells(table, JSON.parse(after) as JsonCell[]);
    const where = key === undefined ? "" : table.afterKeySql;
    const bindings = key === undefined ? [] : bindKey(table, key);
    const tail = `${where} ${table.byKeySql} LIMIT ?`;
    const size = [...table.columns].map(([field, column]) => sizeSql(sqlNameOf(field, column), column)).join(" + ");
    // In the order of the key, whichever index SQLite uses.
    const sizes = this.#store.rows(`SELECT ${size} FROM ${table.name} ${tail}`, ...bindings, READ_ROWS);
    let length = 0;
    const reached = sizes.findIndex(([value]) => {
      length += Number(value);
      return length > PART_CHARACTERS;
    });
    const count = reached < 0 ? sizes.length : Math.max(reached, 1);
    const rows = count === 0 ? [] : this.#store.query(table, tail, ...bindings, count);
    return { rows, isLast: reached < 0 && sizes.length < READ_ROWS };
  }
}

interface Page {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

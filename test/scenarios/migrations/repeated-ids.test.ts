/** Version 4 of the schema on databases in which a repeated id's later row replaced the earlier one. */
import { afterAll, expect, test } from "vitest";
import { openTables } from "../../../durable/chain-state/state/open-tables.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { transactionTable } from "../../../src/tables/blocks.ts";
import { type NodeDatabase, nodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { DatabaseCopies, storedNetwork } from "../../support/fixtures/stored-databases.ts";

const copies = new DatabaseCopies();
afterAll(() => copies.remove());

interface StoredTransaction {
  readonly id: string;
  readonly height: number;
  readonly position: number;
}

const cells = `json_array(hex(id), height, position, type, status, spent_complexity, hex(bytes), hex(snapshot), hex(call_record))`;

/** Last transaction of a key block above the height. */
function lastTransactionAbove({ database }: NodeDatabase, height: number): StoredTransaction {
  const found = database
    .prepare("SELECT lower(hex(id)) AS id, height, position FROM tx WHERE height > ? ORDER BY height, position LIMIT 1")
    .get(height);
  return found as unknown as StoredTransaction;
}

/** Database as a node of version 3 would have left it, had the later transaction had the id of the earlier one. */
function repeat({ database }: NodeDatabase, earlier: StoredTransaction, later: StoredTransaction): void {
  const row = database.prepare(`SELECT ${cells} AS row FROM tx WHERE id = unhex(?)`).get(earlier.id)?.["row"];
  database.prepare("DELETE FROM tx WHERE id = unhex(?)").run(earlier.id);
  database.prepare("UPDATE tx SET id = unhex(?) WHERE id = unhex(?)").run(earlier.id, later.id);
  const changed = database
    .prepare("UPDATE undo SET entries = replace(entries, ?, ?) WHERE height = ?")
    .run(`[2,["${later.id}"],null]`, `[2,["${earlier.id}"],${String(row)}]`, later.height);
  expect(changed.changes).toBeGreaterThan(0);
}

function positionsOf(store: StateStore): string {
  return JSON.stringify(store.rows("SELECT height, position FROM tx ORDER BY height, position"));
}

test("the earlier one is restored in its block, and is found again after a rollback", () => {
  const database = nodeDatabase(copies.copy(3, "chain-state"));
  const store = new StateStore(database);
  const positions = positionsOf(store);
  const earlier = lastTransactionAbove(database, 5);
  const later = lastTransactionAbove(database, 9);
  repeat(database, earlier, later);
  expect(positionsOf(store)).not.toBe(positions);

  openTables(store, storedNetwork(3).genesisText);
  expect(positionsOf(store)).toBe(positions);
  const id = decodeHex(earlier.id) as TransactionId;
  const { height, position } = later;
  expect(store.findLatest(transactionTable, { id })).toMatchObject({ height, position });
  store.rollbackTo({ height: later.height - 1, step: Number.MAX_SAFE_INTEGER });
  expect(store.findLatest(transactionTable, { id })).toMatchObject({
    height: earlier.height,
    position: earlier.position,
  });
  store.rollbackTo({ height: earlier.height - 1, step: Number.MAX_SAFE_INTEGER });
  expect(store.findLatest(transactionTable, { id })).toBeUndefined();
});

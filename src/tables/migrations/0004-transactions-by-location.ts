import { EMPTY_MERKLE_TREE } from "../../crypto/merkle.ts";
import { merkleMessageOfBytes } from "../../protocol/blocks/transactions-root.ts";
import type { JsonCell, StoredValue } from "../schema/cell.ts";
import { bindCell } from "../schema/cell.ts";
import { transactionTreeRow } from "../transaction-trees.ts";
import type { BatchedChange, BatchStatement, Migration } from "./migration.ts";

/** Numbers of the tables in undo records. */
const TX = 2;
const TX_TREE = 23;
/** Number of heights whose transactions a batch moves: at most some megabytes. */
const HEIGHTS = 10;

const txSql = `CREATE TABLE tx (
  /* Transactions. bytes: as in the block (legacy binary below version 5, else protobuf). snapshot: its change set as
  protobuf TransactionStateSnapshot, NULL where the node does not keep it. call_record, of calls of dApps: what they did, as
  protobuf InvokeScriptResult with what the call data of an Ethereum wallet meant; NULL where only the change set is known. An
  id may come twice: of an alias while names could be taken over, and of a payment. */
  id BLOB NOT NULL,
  height INTEGER NOT NULL,
  position INTEGER NOT NULL,
  type INTEGER NOT NULL,
  status INTEGER NOT NULL, /* 0 succeeded, 1 failed, 2 elided */
  spent_complexity INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  snapshot BLOB,
  call_record BLOB,
  PRIMARY KEY (height, position)
)`;
const txIndexSql = "CREATE INDEX tx_by_id ON tx (id, height, position)";
const txTreeSql = `CREATE TABLE tx_tree (
  /* Merkle trees over the transactions of blocks, from version 5 on, that another block follows. nodes: 32 bytes each,
  level by level from the leaves up to the pair below the root. Where a tree would not fit into a row there is none. */
  height INTEGER NOT NULL,
  leaf_count INTEGER NOT NULL,
  nodes BLOB NOT NULL,
  PRIMARY KEY (height)
)`;
const undoSql = `CREATE TABLE undo (
  /* What each step overwrote: JSON array of [number of the table, key, earlier row or null], in parts. */
  height INTEGER NOT NULL,
  step INTEGER NOT NULL,
  part INTEGER NOT NULL,
  entries TEXT NOT NULL,
  PRIMARY KEY (height, step, part)
) WITHOUT ROWID`;

/** Moves the transactions of the lowest heights, and builds the trees of their blocks. */
const transactions: BatchedChange = {
  // The genesis block is never of version 5. The tree of the tip still grows.
  next: `SELECT height, iif(
      height > 1 AND height < (SELECT MAX(height) FROM block)
        AND EXISTS (SELECT 1 FROM feature WHERE id = 15 AND activation_height <= tx_before.height), bytes, NULL)
    FROM tx_before WHERE height < (SELECT MIN(height) FROM tx_before) + ${HEIGHTS} ORDER BY height, position`,
  statementsFor: (rows) => {
    const last = rows.at(-1)?.[0] ?? null;
    const cells = "id, height, position, type, status, spent_complexity, bytes, snapshot, call_record";
    const moved = [
      `INSERT INTO tx (${cells}) SELECT ${cells} FROM tx_before WHERE height <= ? ORDER BY height, position`,
      "DELETE FROM tx_before WHERE height <= ?",
    ];
    return [...moved.map((sql) => ({ sql, bindings: [last] })), ...treeStatements(rows)];
  },
};

/** @param rows height of each transaction, and its bytes if its block gets a tree */
function treeStatements(rows: readonly (readonly StoredValue[])[]): BatchStatement[] {
  const blocks = Map.groupBy(rows, ([height]) => height as number);
  return [...blocks].flatMap(([height, blockRows]) => {
    const messages = blockRows.flatMap(([, bytes]) =>
      bytes instanceof ArrayBuffer ? [merkleMessageOfBytes(new Uint8Array(bytes))] : [],
    );
    const row = transactionTreeRow(height, EMPTY_MERKLE_TREE.append(messages));
    if (row === undefined) return [];
    const sql = "INSERT INTO tx_tree (height, leaf_count, nodes) VALUES (?, ?, ?)";
    return [{ sql, bindings: [height, row.leafCount, bindCell(row.nodes)] }];
  });
}

type UndoEntry = readonly [table: number, key: readonly JsonCell[], earlier: readonly JsonCell[] | null];

/**
 * Undo records referred to a transaction by its id, and had the earlier one that a later one with the same id replaced.
 * Now they refer to its position, which is the number of transactions of the height in earlier records, and the
 * replaced one returns to the table. The first record of a height also has the tree of the block below.
 */
const undoRecords: BatchedChange = {
  next: `SELECT height, step, part, entries FROM undo_before
    WHERE height = (SELECT MAX(height) FROM undo_before) ORDER BY step, part`,
  statementsFor: (rows) => {
    const height = rows[0]?.[0] as number;
    const earlierRows: (readonly JsonCell[])[] = [];
    let position = 0;
    const records = rows.map(([, step = null, part = null, text]): BatchStatement => {
      const entries = (JSON.parse(text as string) as UndoEntry[]).map((entry): UndoEntry => {
        if (entry[0] !== TX) return entry;
        if (entry[2] !== null) earlierRows.push(entry[2]);
        return [TX, [height, position++], null];
      });
      const sql = "INSERT INTO undo (height, step, part, entries) VALUES (?, ?, ?, ?)";
      return { sql, bindings: [height, step, part, JSON.stringify(entries)] };
    });
    const tree: UndoEntry = [TX_TREE, [height - 1], null];
    return [
      ...records,
      {
        sql: `INSERT INTO undo (height, step, part, entries)
          SELECT ?1, 0, 1 + (SELECT MAX(part) FROM undo WHERE height = ?1 AND step = 0), ?2
          WHERE EXISTS (SELECT 1 FROM tx_tree WHERE height = ?1 - 1)`,
        bindings: [height, JSON.stringify([tree])],
      },
      ...earlierRows.map((row) => ({
        sql: `INSERT OR IGNORE INTO tx (id, height, position, type, status, spent_complexity, bytes, snapshot, call_record)
          SELECT unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, unhex(value ->> 6),
            unhex(value ->> 7), unhex(value ->> 8) FROM json_each(?)`,
        bindings: [JSON.stringify([row])],
      })),
      { sql: "DELETE FROM undo_before WHERE height = ?", bindings: [height] },
    ];
  },
};

/**
 * Makes the position the key of transactions: as long as a later transaction replaced an earlier one with the same id,
 * the earlier block and the lists of its accounts lacked it. Adds the Merkle trees of transactions, for blocks that are
 * no longer liquid.
 */
export const transactionsByLocation: Migration = {
  version: 4,
  title: "transactions by their place, so that repeated ids stay, and the Merkle trees of blocks",
  object: [
    "ALTER TABLE tx RENAME TO tx_before",
    txSql,
    txIndexSql,
    txTreeSql,
    "ALTER TABLE undo RENAME TO undo_before",
    undoSql,
    // The read model is rewritten: pending changes refer to transactions by id.
    "DELETE FROM outbox",
    "DELETE FROM sent_batch",
    "UPDATE publication SET batch = 'of version 3'",
    transactions,
    undoRecords,
    "DROP TABLE tx_before",
    "DROP TABLE undo_before",
  ],
  readModel: [
    "DROP TABLE tx",
    txSql,
    txIndexSql,
    txTreeSql,
    // Prevents every further batch, so that the publisher rewrites all tables.
    "UPDATE chain SET batch = '', is_whole = 0, progress = 'the tables of an earlier release'",
  ],
};

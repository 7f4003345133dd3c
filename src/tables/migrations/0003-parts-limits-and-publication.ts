import type { BatchedChange, Migration } from "./migration.ts";

/** Moves the records of one height at a time: on a large chain they have hundreds of megabytes. */
const undoRecords: BatchedChange = {
  next: "SELECT height FROM undo_in_one ORDER BY height LIMIT 1",
  statementsFor: ([[height = null] = []]) => [
    { sql: "INSERT INTO undo SELECT height, step, 0, entries FROM undo_in_one WHERE height = ?", bindings: [height] },
    { sql: "DELETE FROM undo_in_one WHERE height = ?", bindings: [height] },
  ],
};

/**
 * Splits undo records into parts: the overwritten rows of a block can exceed one row. The liquid block stores the share
 * of the block's limits that its transactions have used. A read model names its chain and the last batch, and
 * ChainState the read model that it writes to.
 */
export const partsLimitsAndPublication: Migration = {
  version: 3,
  title: "undo records in parts, what the liquid block has used of its limits, and what the read model shows",
  object: [
    "ALTER TABLE undo RENAME TO undo_in_one",
    `CREATE TABLE undo (
      /* What each step overwrote: JSON array of [number of the table, key, earlier row or null], in parts. */
      height INTEGER NOT NULL,
      step INTEGER NOT NULL,
      part INTEGER NOT NULL,
      entries TEXT NOT NULL,
      PRIMARY KEY (height, step, part)
    ) WITHOUT ROWID`,
    undoRecords,
    "DROP TABLE undo_in_one",
    `CREATE TABLE publication (
      /* One row: what the read model has. identity, sequence, batch: as in its table chain; batch is NULL where that table
      has no row. copied: progress of rewriting the tables, NULL when done. shown: up to which place the transactions
      of the chain are in the read model. */
      id INTEGER NOT NULL CHECK (id = 1),
      identity TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      batch TEXT,
      copied TEXT,
      shown_height INTEGER NOT NULL,
      shown_transactions INTEGER NOT NULL,
      PRIMARY KEY (id)
    )`,
    `CREATE TABLE sent_batch (
      /* Batches that may have landed in the read model: what table publication has once one of them is known to have. */
      number INTEGER NOT NULL,
      batch TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      is_whole INTEGER NOT NULL, /* 0 no, 1 yes */
      copied TEXT,
      shown_height INTEGER NOT NULL,
      shown_transactions INTEGER NOT NULL,
      PRIMARY KEY (number)
    )`,
    "ALTER TABLE micro_block ADD COLUMN used_size_bytes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE micro_block ADD COLUMN used_complexity INTEGER NOT NULL DEFAULT 0",
    // Estimate from the transactions: verifiers and asset scripts of the one liquid block are missing.
    `UPDATE micro_block SET
      used_size_bytes = (SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM tx WHERE tx.height = micro_block.height),
      used_complexity = (SELECT COALESCE(SUM(spent_complexity), 0) FROM tx WHERE tx.height = micro_block.height)`,
  ],
  readModel: [
    "ALTER TABLE chain ADD COLUMN identity TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE chain ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE chain ADD COLUMN batch TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE chain ADD COLUMN is_whole INTEGER NOT NULL DEFAULT 1 /* 0 no, 1 yes */",
    "ALTER TABLE chain ADD COLUMN progress TEXT DEFAULT NULL",
  ],
};

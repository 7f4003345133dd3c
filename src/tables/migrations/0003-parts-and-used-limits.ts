import type { Migration } from "./migration.ts";

/**
 * Undo records come in parts: what a block overwrites can be more than one row holds. The liquid block says what its
 * transactions have used of the block's limits.
 */
export const partsAndUsedLimits: Migration = {
  version: 3,
  title: "undo records come in parts; what the liquid block has used of its limits",
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
    "INSERT INTO undo SELECT height, step, 0, entries FROM undo_in_one",
    "DROP TABLE undo_in_one",
    "ALTER TABLE micro_block ADD COLUMN used_size_bytes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE micro_block ADD COLUMN used_complexity INTEGER NOT NULL DEFAULT 0",
    // As far as the transactions tell: verifiers and asset scripts of the one block that is open are missing.
    `UPDATE micro_block SET
      used_size_bytes = (SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM tx WHERE tx.height = micro_block.height),
      used_complexity = (SELECT COALESCE(SUM(spent_complexity), 0) FROM tx WHERE tx.height = micro_block.height)`,
  ],
  readModel: [],
};

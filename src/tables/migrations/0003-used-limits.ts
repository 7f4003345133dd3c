import type { Migration } from "./migration.ts";

/** The liquid block says what its transactions have used of the block's limits. */
export const usedLimits: Migration = {
  version: 3,
  title: "what the liquid block has used of its limits",
  object: [
    "ALTER TABLE micro_block ADD COLUMN used_size_bytes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE micro_block ADD COLUMN used_complexity INTEGER NOT NULL DEFAULT 0",
    // As far as the transactions tell: verifiers and asset scripts of the one block that is open are missing.
    `UPDATE micro_block SET
      used_size_bytes = (SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM tx WHERE tx.height = micro_block.height),
      used_complexity = (SELECT COALESCE(SUM(spent_complexity), 0) FROM tx WHERE tx.height = micro_block.height)`,
  ],
  readModel: [],
};

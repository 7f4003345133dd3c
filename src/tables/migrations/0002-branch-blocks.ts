import type { Migration } from "./migration.ts";

/** Stores blocks that are removed from the chain; both databases have a schema version. */
export const branchBlocks: Migration = {
  version: 2,
  title: "blocks that left the chain; the read model says its version, and which blocks are final",
  object: [
    `CREATE TABLE branch_block (
      /* Blocks that left the chain and may come back with the branch that they belong to. */
      id BLOB NOT NULL,
      height INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      left_at INTEGER NOT NULL,
      PRIMARY KEY (id)
    )`,
    // The version replaces it; older releases refuse a database without it.
    "DELETE FROM meta WHERE name = 'layout'",
  ],
  readModel: [
    // Table of wrangler, which created the tables before.
    "DROP TABLE d1_migrations",
    `CREATE TABLE meta (
      /* What the database says of itself: schema, its version; release, which wrote to it last. */
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (name)
    ) WITHOUT ROWID`,
    "ALTER TABLE chain ADD COLUMN finalized_height INTEGER NOT NULL DEFAULT 1",
  ],
};

import type { Migration } from "./migration.ts";

/** Blocks that leave the chain are kept; both databases say which version they have. */
export const branchBlocks: Migration = {
  version: 2,
  title: "blocks that left the chain; the read model says its version",
  object: [
    `CREATE TABLE branch_block (
      /* Blocks that left the chain: a branch that comes to have the higher score is taken from here. */
      id BLOB NOT NULL,
      height INTEGER NOT NULL,
      reference BLOB NOT NULL,
      score TEXT NOT NULL /* a decimal number: it may pass 64 bits */,
      bytes BLOB NOT NULL,
      left_at INTEGER NOT NULL,
      PRIMARY KEY (id)
    )`,
    "CREATE INDEX branch_block_by_reference ON branch_block (reference)",
    "CREATE INDEX branch_block_by_height ON branch_block (height)",
    // The version takes its place; releases before refuse a database that has none.
    "DELETE FROM meta WHERE name = 'layout'",
  ],
  readModel: [
    // Of wrangler, which made the tables before.
    "DROP TABLE d1_migrations",
    `CREATE TABLE meta (
      /* What the database says of itself: schema, its version; release, which wrote to it last. */
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (name)
    ) WITHOUT ROWID`,
  ],
};

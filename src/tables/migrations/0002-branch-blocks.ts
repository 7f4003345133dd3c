import type { Migration } from "./migration.ts";

/**
 * Blocks that leave the chain are kept; both databases say which version they have; a read model says which chain it shows,
 * and ChainState which read model it writes to.
 */
export const branchBlocks: Migration = {
  version: 2,
  title: "blocks that left the chain; the read model says its version, what it shows, and which blocks are final",
  object: [
    `CREATE TABLE branch_block (
      /* Blocks that left the chain and may come back with the branch that they belong to. */
      id BLOB NOT NULL,
      height INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      left_at INTEGER NOT NULL,
      PRIMARY KEY (id)
    )`,
    `CREATE TABLE publication (
      /* One row: what the read model has. identity, sequence, batch: as in its table chain; batch is NULL where that table
      has no row. copied: how far the tables are written anew, NULL once they are. shown: up to which place the transactions
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
    "ALTER TABLE chain ADD COLUMN finalized_height INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE chain ADD COLUMN identity TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE chain ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE chain ADD COLUMN batch TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE chain ADD COLUMN is_whole INTEGER NOT NULL DEFAULT 1 /* 0 no, 1 yes */",
    "ALTER TABLE chain ADD COLUMN progress TEXT DEFAULT NULL",
  ],
};

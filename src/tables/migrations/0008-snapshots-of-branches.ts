import type { Migration } from "./migration.ts";

/** Stores state snapshots of removed blocks: a light node cannot run their transactions when they return. */
export const snapshotsOfBranches: Migration = {
  version: 8,
  title: "snapshots of blocks that left the chain, of light nodes",
  object: ["ALTER TABLE branch_block ADD COLUMN snapshots BLOB DEFAULT NULL"],
  readModel: [],
};

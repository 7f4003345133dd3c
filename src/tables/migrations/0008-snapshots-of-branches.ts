import type { Migration } from "./migration.ts";

/** What a light node has not run it cannot run either when it comes back. */
export const snapshotsOfBranches: Migration = {
  version: 8,
  title: "snapshots of blocks that left the chain, of light nodes",
  object: ["ALTER TABLE branch_block ADD COLUMN snapshots BLOB DEFAULT NULL"],
  readModel: [],
};

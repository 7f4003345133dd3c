/** State hashes by height, on nodes that store them. */
import type { Digest } from "../crypto/identities.ts";
import { bytes, int } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const stateHashTable = table({
  name: "state_hash",
  comment: `Only on nodes that store them. total: over the parent's total and the sections; sections: their hashes in order, 32
bytes each; snapshot_hash: the state hash of feature 22. The tip's row changes with its micro-blocks.`,
  key: ["height"],
  columns: {
    height: int,
    /** Older state hash: over the parent's one and the sections. */
    total: bytes<Digest>(),
    /** Hashes of its sections in their order, 32 bytes each: 9, or 11 with feature 25. */
    sections: bytes(),
    /** State hash of feature 22, as in headers. */
    snapshotHash: bytes<Digest>(),
  },
  published: true,
  inCheckpoint: "ofItsBlocks",
});

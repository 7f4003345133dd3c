/** State hashes by height, for nodes that keep them. */
import type { Digest } from "../crypto/identities.ts";
import { bytes, int } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const stateHashTable = table({
  name: "state_hash",
  comment: `Only on nodes that keep them. total: over the parent's total and the sections; sections: their hashes in order, 32
bytes each; snapshot_hash: the state hash of feature 22. The tip's row changes with its micro-blocks.`,
  key: ["height"],
  columns: {
    height: int,
    /** The older state hash: over the parent's and the sections. */
    total: bytes<Digest>(),
    /** Hashes of its sections in their order, 32 bytes each: 9, with feature 25 11. */
    sections: bytes(),
    /** The state hash of feature 22, which headers carry. */
    snapshotHash: bytes<Digest>(),
  },
  published: true,
  inCheckpoint: "ofItsBlocks",
});

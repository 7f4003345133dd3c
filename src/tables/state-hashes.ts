/** State hashes by height, for nodes that keep them. */
import { table } from "./schema/table.ts";

export type StateHashRow = {
  height: number;
  /** The older state hash: over the parent's and the sections. */
  total: Uint8Array;
  /** Hashes of its sections in their order, 32 bytes each: 9, with feature 25 11. */
  sections: Uint8Array;
  /** The state hash of feature 22, which headers carry. */
  snapshotHash: Uint8Array;
};
export const stateHashTable = table<StateHashRow>({
  name: "state_hash",
  key: ["height"],
  columns: { height: "int", total: "blob", sections: "blob", snapshotHash: "blob" },
  published: true,
});

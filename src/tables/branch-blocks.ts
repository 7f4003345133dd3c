/** Blocks that left the chain and may come back with the branch that they belong to. */
import { table } from "./schema/table.ts";

export type BranchBlockRow = {
  id: Uint8Array;
  height: number;
  /** The whole block, as in a block file. */
  bytes: Uint8Array;
  /** Grows with each block that leaves: the lowest one goes first when there are too many. */
  leftAt: number;
};
export const branchBlockTable = table<BranchBlockRow>({
  name: "branch_block",
  key: ["id"],
  columns: { id: "blob", height: "int", bytes: "blob", leftAt: "int" },
  published: false,
  isAppended: true,
});

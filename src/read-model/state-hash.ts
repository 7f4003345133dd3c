/** Table `state_hash`: on nodes that store the older state hash. */
import type { BlockId } from "../protocol/blocks/block.ts";
import { blockTable } from "../tables/blocks.ts";
import { stateHashTable } from "../tables/state-hashes.ts";
import { columnsOf } from "./columns.ts";
import { type Query, query } from "./query.ts";

const hashes = columnsOf(stateHashTable, ["height", "total", "sections", "snapshotHash"]);
const block = columnsOf(blockTable, ["id", "header"]);

/** State hash and its block. */
export type StoredStateHash = ReturnType<typeof hashes.read> & {
  readonly blockId: BlockId;
  /** Bytes of the block without its transactions. */
  readonly header: Uint8Array;
};

/** Height of the state hash. `last`: the last block that no micro-block can extend any more. */
export type StateHashKey = { readonly height: number } | "last";

export function stateHashQuery(key: StateHashKey): Query<StoredStateHash | undefined> {
  const [height, bindings] = key === "last" ? ["(SELECT height - 1 FROM chain)", []] : ["?1", [key.height]];
  return query(
    `SELECT ${hashes.sql}, ${block.sql} FROM state_hash JOIN block ON block.height = state_hash.height
     WHERE state_hash.height = ${height} AND state_hash.height <= (SELECT height FROM chain)`,
    bindings,
    ([row]) => {
      if (row === undefined) return undefined;
      const { id, header } = block.read(row);
      return { ...hashes.read(row), blockId: id, header };
    },
  );
}

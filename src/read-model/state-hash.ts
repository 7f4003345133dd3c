/** Table `state_hash`: on nodes that keep the older state hash. */
import { type BlobText, blob, bytesOf } from "./column.ts";
import { type Query, query } from "./query.ts";

/** With the block that it belongs to. */
export interface StoredStateHash {
  readonly height: number;
  readonly total: Uint8Array;
  /** Hashes of the sections in their order, 32 bytes each. */
  readonly sections: Uint8Array;
  /** State hash of feature 22. */
  readonly snapshotHash: Uint8Array;
  readonly blockId: Uint8Array;
  /** The block's bytes without its transactions. */
  readonly header: Uint8Array;
}

interface StateHashRow {
  readonly height: number;
  readonly total: BlobText;
  readonly sections: BlobText;
  readonly snapshot_hash: BlobText;
  readonly id: BlobText;
  readonly header: BlobText;
}

/** Which one is meant. `last`: of the last block that nothing extends any more. */
export type StateHashKey = { readonly height: number } | "last";

export function stateHashQuery(key: StateHashKey): Query<StoredStateHash | undefined> {
  const [height, bindings] = key === "last" ? ["(SELECT height - 1 FROM chain)", []] : ["?1", [key.height]];
  return query<StateHashRow, StoredStateHash | undefined>(
    `SELECT block.height AS height, ${blob("total")}, ${blob("sections")}, ${blob("snapshot_hash")}, ${blob("id")},
       ${blob("header")}
     FROM state_hash JOIN block ON block.height = state_hash.height
     WHERE state_hash.height = ${height} AND state_hash.height <= (SELECT height FROM chain)`,
    bindings,
    ([row]) =>
      row && {
        height: row.height,
        total: bytesOf(row.total),
        sections: bytesOf(row.sections),
        snapshotHash: bytesOf(row.snapshot_hash),
        blockId: bytesOf(row.id),
        header: bytesOf(row.header),
      },
  );
}

/** State snapshots of transactions: column `snapshot` of table `tx`, on nodes that store them. */
import { idStateKey } from "../network/remote-state-key.ts";
import { transactionTable } from "../tables/blocks.ts";
import { columnsOf } from "./columns.ts";
import { isLatestOf } from "./latest-transaction.ts";
import { type Query, query, withRemoteKeys } from "./query.ts";
import { blobList, byKeyIndex, keyIndex, requestedKeysAt } from "./requested-keys.ts";

const where = columnsOf(transactionTable, ["height"]);
const change = columnsOf(transactionTable, ["snapshot"]).when("place = 0 OR total_bytes <= ?2");

export interface StoredSnapshot {
  /** Height of the transaction's block. */
  readonly height: number;
  /** Wire form; undefined beyond the limit of the query. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * State snapshots in the order of the transactions' ids; undefined if the chain has no such transaction, or the node no
 * snapshot of it.
 * @param limitBytes limit of the snapshots' total size; the first one is read in any case
 */
export function snapshotsQuery(
  ids: readonly Uint8Array[],
  limitBytes: number,
): Query<readonly (StoredSnapshot | undefined)[]> {
  return withRemoteKeys(
    () => ids.map((id) => idStateKey("ownTransaction", id)),
    query(
      `WITH found AS (
       SELECT wanted.place AS place, tx.height AS height, tx.position AS position,
         sum(length(tx.snapshot)) OVER (ORDER BY wanted.place) AS total_bytes
       FROM ${requestedKeysAt("?1")} JOIN tx ON ${isLatestOf("wanted.value")}
       WHERE tx.snapshot IS NOT NULL AND tx.height <= (SELECT height FROM chain)
     )
     SELECT ${keyIndex.sql}, ${where.sql}, ${change.sql} FROM found
     JOIN tx ON tx.height = found.height AND tx.position = found.position`,
      [blobList(ids), limitBytes],
      (rows) => byKeyIndex(ids, rows, (row) => ({ ...where.read(row), bytes: change.read(row).snapshot }), undefined),
    ),
  );
}

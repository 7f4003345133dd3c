/** Change sets of transactions: column `snapshot` of table `tx`, on nodes that keep them. */
import { type BlobText, blobList, blobsOf, bytesOf } from "./column.ts";
import { type Query, query } from "./query.ts";

export interface StoredSnapshot {
  /** Of the transaction's block. */
  readonly height: number;
  /** Wire form; undefined in a list too long to be read at once. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * The change sets in the order of the transactions' ids; undefined where the chain has no such transaction or the node
 * does not keep its change set.
 * @param limitBytes bytes are given for the first ones that have at most so many together, and for the first in any case
 */
export function snapshotsQuery(
  ids: readonly Uint8Array[],
  limitBytes: number,
): Query<readonly (StoredSnapshot | undefined)[]> {
  type Row = { readonly place: number; readonly height: number; readonly bytes: BlobText | null };
  return query<Row, readonly (StoredSnapshot | undefined)[]>(
    `WITH found AS (
       SELECT wanted.place AS place, tx.id AS id, sum(length(tx.snapshot)) OVER (ORDER BY wanted.place) AS total_bytes
       FROM ${blobsOf("?1")} wanted JOIN tx ON tx.id = wanted.value
       WHERE tx.snapshot IS NOT NULL AND tx.height <= (SELECT height FROM chain)
     )
     SELECT place, tx.height AS height, CASE WHEN place = 0 OR total_bytes <= ?2 THEN hex(tx.snapshot) END AS bytes
     FROM found JOIN tx ON tx.id = found.id`,
    [blobList(ids), limitBytes],
    (rows) => {
      const found: (StoredSnapshot | undefined)[] = ids.map(() => undefined);
      for (const { place, height, bytes } of rows)
        found[place] = { height, bytes: bytes === null ? undefined : bytesOf(bytes) };
      return found;
    },
  );
}

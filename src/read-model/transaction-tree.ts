/** Table `tx_tree`: Merkle proofs of transactions in their blocks. */

import { decodeHex, encodeHex } from "../crypto/hex.ts";
import type { Digest } from "../crypto/identities.ts";
import { MISSING_NODE } from "../crypto/merkle.ts";
import { idStateKey } from "../network/remote-state-key.ts";
import { nullable, text } from "../tables/schema/column.ts";
import { computed, type ResultRow } from "./columns.ts";
import { isLatestOf } from "./latest-transaction.ts";
import { type Query, query, withRemoteKeys } from "./query.ts";
import { blobList, byKeyIndex, keyIndex, requestedKeysAt } from "./requested-keys.ts";
import { isPublished, locationOf, locationSql, type TransactionLocation } from "./transaction.ts";

const nodeBytes = 32;

/**
 * Sibling nodes from the leaf up, in hexadecimal. `way` has a row for each level: number of the level's first node in
 * the blob, index of the path's node in the level, and number of nodes in the level.
 */
const proofText = computed(
  "proof",
  nullable(text),
  `iif(tx_tree.height IS NULL, NULL, (
     WITH RECURSIVE way(first, place, count) AS (
       SELECT 0, tx.position, tx_tree.leaf_count
       UNION ALL SELECT first + count, place >> 1, (count + 1) >> 1 FROM way WHERE count > 2
     ), neighbour(first, place, count) AS (
       SELECT first, iif(place & 1, place - 1, place + 1), count FROM way ORDER BY first
     )
     SELECT group_concat(iif(place < count,
       hex(substr(tx_tree.nodes, ${nodeBytes} * (first + place) + 1, ${nodeBytes})), '${encodeHex(MISSING_NODE)}'), '')
     FROM neighbour
   ))`,
);

export interface FoundProof extends TransactionLocation {
  /** Nodes from the leaf up. Undefined in the tip, whose tree still grows, and if the table has no tree. */
  readonly proof: readonly Digest[] | undefined;
}

function proofOf(row: ResultRow): FoundProof {
  const nodes = proofText.read(row);
  const digests = nodes?.match(/.{64}/g)?.map((node) => decodeHex(node) as Digest);
  return { ...locationOf(row), proof: digests };
}

/**
 * Locations of transactions with their proofs, in the order of the ids; undefined for ids that are not on the chain.
 * Cost: the row of each transaction and of its block's tree.
 */
export function proofsQuery(ids: readonly Uint8Array[]): Query<readonly (FoundProof | undefined)[]> {
  return withRemoteKeys(
    () => ids.map((id) => idStateKey("ownTransaction", id)),
    query(
      `SELECT ${keyIndex.sql}, ${locationSql}, ${proofText.sql} FROM ${requestedKeysAt("?1")} JOIN tx ON ${isLatestOf("wanted.value")}
     LEFT JOIN tx_tree ON tx_tree.height = tx.height WHERE ${isPublished}`,
      [blobList(ids)],
      (rows) => byKeyIndex(ids, rows, proofOf, undefined),
    ),
  );
}

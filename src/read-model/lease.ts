/** Tables `lease` and `account_lease`. */
import type { Address } from "../crypto/identities.ts";
import { accountStateKey, idStateKey } from "../network/remote-state-key.ts";
import { leaseTable } from "../tables/leases.ts";
import { columnsOf } from "./columns.ts";
import { type Query, query, withRemoteKeys } from "./query.ts";
import { blobList, byKeyIndex, keyIndex, requestedKeysAt } from "./requested-keys.ts";

export const leaseColumns = columnsOf(leaseTable, [
  "id",
  "sender",
  "recipient",
  "amount",
  "originTransactionId",
  "height",
  "status",
  "cancelHeight",
  "cancelTransactionId",
]);

export type StoredLease = ReturnType<typeof leaseColumns.read>;

/** Leases in the order of the ids; undefined for unknown ones. */
export function leasesQuery(ids: readonly Uint8Array[]): Query<readonly (StoredLease | undefined)[]> {
  return withRemoteKeys(
    () => ids.map((id) => idStateKey("lease", id)),
    query(
      `SELECT ${keyIndex.sql}, ${leaseColumns.sql} FROM ${requestedKeysAt("?1")} JOIN lease ON lease.id = wanted.value`,
      [blobList(ids)],
      (rows) => byKeyIndex(ids, rows, leaseColumns.read, undefined),
    ),
  );
}

/**
 * Active leases sent or received by the account, newest block first. Reads whole blocks until there are at least
 * `limit` leases, or all.
 * @param before only blocks below this height
 */
export function activeLeasesQuery(
  address: Address,
  before: number | undefined,
  limit: number,
): Query<readonly StoredLease[]> {
  return withRemoteKeys(
    () => [accountStateKey("leases", address)],
    query(
      `WITH page AS (
       SELECT height FROM account_lease WHERE address = ?1 AND height < ifnull(?2, 2147483647)
       ORDER BY height DESC LIMIT ?3
     )
     SELECT ${leaseColumns.sql} FROM account_lease listed JOIN lease ON lease.id = listed.lease
     WHERE listed.address = ?1 AND listed.height < ifnull(?2, 2147483647)
       AND listed.height >= (SELECT min(height) FROM page)
     ORDER BY listed.height DESC, listed.number`,
      [address, before ?? null, limit],
      (rows) => rows.map(leaseColumns.read),
    ),
  );
}

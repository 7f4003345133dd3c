/** Table `lease`. */
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { LeaseId, TransactionId } from "../protocol/transactions/transaction.ts";
import { type BlobText, blob, blobList, blobsOf, bytesOf, type I64Text, i64, i64Of } from "./column.ts";
import { type Query, query } from "./query.ts";

export type LeaseStatus = "active" | "canceled" | "expired";

export interface StoredLease {
  readonly id: LeaseId;
  readonly sender: PublicKey;
  readonly recipient: Address;
  readonly amount: bigint;
  readonly originTransactionId: TransactionId;
  readonly height: number;
  readonly status: LeaseStatus;
  readonly cancelHeight: number | undefined;
  readonly cancelTransactionId: TransactionId | undefined;
}

const statuses = ["active", "canceled", "expired"] as const satisfies readonly LeaseStatus[];

interface LeaseRow {
  readonly id: BlobText;
  readonly sender: BlobText;
  readonly recipient: BlobText;
  readonly amount: I64Text;
  readonly origin_tx: BlobText;
  readonly height: number;
  readonly status: number;
  readonly cancel_height: number | null;
  readonly cancel_tx: BlobText | null;
}
const leaseColumns = [
  blob("lease.id", "id"),
  blob("sender"),
  blob("recipient"),
  i64("amount"),
  blob("origin_tx"),
  "lease.height AS height",
  "status",
  "cancel_height",
  blob("cancel_tx"),
].join(", ");

function leaseOf(row: LeaseRow): StoredLease {
  return {
    id: bytesOf(row.id),
    sender: bytesOf(row.sender),
    recipient: bytesOf(row.recipient),
    amount: i64Of(row.amount),
    originTransactionId: bytesOf(row.origin_tx),
    height: row.height,
    status: statuses[row.status] ?? "canceled",
    cancelHeight: row.cancel_height ?? undefined,
    cancelTransactionId: row.cancel_tx === null ? undefined : bytesOf(row.cancel_tx),
  };
}

/** Leases in the order of the ids; undefined for unknown ones. */
export function leasesQuery(ids: readonly Uint8Array[]): Query<readonly (StoredLease | undefined)[]> {
  return query<LeaseRow & { readonly place: number }, readonly (StoredLease | undefined)[]>(
    `SELECT place, ${leaseColumns} FROM ${blobsOf("?1")} wanted JOIN lease ON lease.id = wanted.value`,
    [blobList(ids)],
    (rows) => {
      const found: (StoredLease | undefined)[] = ids.map(() => undefined);
      for (const row of rows) found[row.place] = leaseOf(row);
      return found;
    },
  );
}

/**
 * Active leases of which the account is sender or recipient, newest block first: those of a few blocks, so that they are
 * at least `limit`, or all that there are.
 * @param before only blocks below this height
 */
export function activeLeasesQuery(
  address: Address,
  before: number | undefined,
  limit: number,
): Query<readonly StoredLease[]> {
  return query<LeaseRow, readonly StoredLease[]>(
    `WITH page AS (
       SELECT height FROM account_lease WHERE address = ?1 AND height < ifnull(?2, 2147483647)
       ORDER BY height DESC LIMIT ?3
     )
     SELECT ${leaseColumns} FROM account_lease listed JOIN lease ON lease.id = listed.lease
     WHERE listed.address = ?1 AND listed.height < ifnull(?2, 2147483647)
       AND listed.height >= (SELECT min(height) FROM page)
     ORDER BY listed.height DESC, listed.number`,
    [address, before ?? null, limit],
    (rows) => rows.map(leaseOf),
  );
}

/**
 * Rows of other tables that are shown with a transaction, in the statement that reads it: so one round trip is enough for most
 * lists. What a statement cannot look into (records of calls, data of Ethereum wallets) is asked for once it was read.
 */
import { TransactionType } from "../protocol/transactions/transaction-type.ts";
import { nullable, text } from "../tables/schema/column.ts";
import { computed, type Selection } from "./columns.ts";

/** Where the message of a lease's end begins in protobuf: the field of its data, the length, and the field of the id. */
const cancelData = "x'ea06220a20'";
/** Place of the id in older forms: behind type, key, fee and timestamp, and from version 2 on three bytes more. */
const idPlaceInLegacy = "iif(substr(tx.bytes, 1, 1) = x'00', 53, 50)";
const cancelledId = `substr(tx.bytes, ifnull(nullif(instr(tx.bytes, ${cancelData}), 0) + 5, ${idPlaceInLegacy}), 32)`;

/**
 * Joins the lease that a row of `tx` made or ended, as `leaseColumns`. PERF: of other types nothing is looked for. Of a lease's end
 * that is written in no usual way it finds none, or another one: who reads it compares the id.
 */
export const withLease = `LEFT JOIN lease ON lease.id = CASE tx.type
  WHEN ${TransactionType.Lease} THEN tx.id WHEN ${TransactionType.LeaseCancel} THEN ${cancelledId} END`;

/** `alias:`, the network and a colon stand before a name. */
const beforeName = 8;

/**
 * Of a mass transfer: the names among its recipients that stand for the account, as a JSON list; undefined where the read model
 * has no JSON of it, or it names none.
 * @param account placeholder of the address
 */
export function ownedAliases(account: string): Selection<readonly string[] | undefined> {
  const recipient = "json_extract(transfer.value, '$.recipient')";
  const names = computed(
    "owned_aliases",
    nullable(text),
    `iif(tx.type = ${TransactionType.MassTransfer} AND instr(tx.json, '"recipient":"alias:'), (
       SELECT json_group_array(alias.name) FROM json_each(tx.json, '$.transfers') transfer
       CROSS JOIN alias ON alias.name = substr(${recipient}, ${beforeName + 1})
       WHERE substr(${recipient}, 1, 6) = 'alias:' AND alias.address = ${account}
     ), NULL)`,
  );
  return {
    sql: names.sql,
    read: (row) => {
      const found = names.read(row);
      return found === undefined ? undefined : (JSON.parse(found) as string[]);
    },
  };
}

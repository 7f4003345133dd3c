/**
 * Joins of related rows to a transaction in the statement that reads it: so one round trip is enough for most lists.
 * Data that a statement cannot parse (call records, Ethereum payloads) is queried once the transaction was read.
 */
import { TransactionType } from "../protocol/transactions/transaction-type.ts";
import { nullable, text } from "../tables/schema/column.ts";
import { computed, type Selection } from "./columns.ts";

/** Start of the data of a lease cancellation in protobuf: its field, the length, and the field of the id. */
const cancelData = "x'ea06220a20'";
/** Offset of the id in older forms: after type, key, fee and timestamp; from version 2 on three bytes more. */
const idOffsetInLegacy = "iif(substr(tx.bytes, 1, 1) = x'00', 53, 50)";
const cancelledId = `substr(tx.bytes, ifnull(nullif(instr(tx.bytes, ${cancelData}), 0) + 5, ${idOffsetInLegacy}), 32)`;

/**
 * Joins the lease that a row of `tx` created or cancelled, as `leaseColumns`. PERF: other types need no lookup. For a
 * cancellation in unusual encoding it finds none, or another one: the reader compares the id.
 */
export const withLease = `LEFT JOIN lease ON lease.id = CASE tx.type
  WHEN ${TransactionType.Lease} THEN tx.id WHEN ${TransactionType.LeaseCancel} THEN ${cancelledId} END`;

/** Length of the prefix of an alias: `alias:`, the network byte and a colon. */
const aliasPrefixLength = 8;

/**
 * Selects the recipients of a mass transfer that are aliases of the account, as a JSON list; undefined if the read
 * model lacks its JSON, or there are none.
 * @param account placeholder of the address
 */
export function ownedAliases(account: string): Selection<readonly string[] | undefined> {
  const recipient = "json_extract(transfer.value, '$.recipient')";
  const names = computed(
    "owned_aliases",
    nullable(text),
    `iif(tx.type = ${TransactionType.MassTransfer} AND instr(tx.json, '"recipient":"alias:'), (
       SELECT json_group_array(alias.name) FROM json_each(tx.json, '$.transfers') transfer
       CROSS JOIN alias ON alias.name = substr(${recipient}, ${aliasPrefixLength + 1})
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

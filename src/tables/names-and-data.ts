/** What accounts own besides balances: aliases, data entries, scripts, leases. */
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { LeaseId, Script, TransactionId } from "../protocol/transactions/transaction.ts";
import type { LeaseDetails } from "../rules/state/state-view.ts";
import { dataValue } from "./data-value.ts";
import { bytes, flag, i64, int, named, nullable, oneOf, publishedLater, text, unpublished } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const aliasTable = table({
  name: "alias",
  comment: "Aliases. name: without the prefix of the network.",
  key: ["name"],
  columns: {
    name: text,
    address: bytes<Address>(),
    /** Whether the name was taken more than once, while that was possible. */
    takenOver: unpublished(flag, false),
  },
  published: true,
});
export type AliasRow = RowOf<typeof aliasTable>;

export const dataEntryTable = table({
  name: "data_entry",
  comment: "Data entries of accounts; a deleted one has no row.",
  key: ["address", "key"],
  columns: { address: bytes<Address>(), key: text, value: dataValue },
  published: true,
});
export type DataEntryRow = RowOf<typeof dataEntryTable>;

export const dataOwnerTable = table({
  name: "data_owner",
  comment: "Accounts that ever had a data entry, whether or not they still have one: what isDataStorageUntouched asks.",
  key: ["address"],
  columns: { address: bytes<Address>() },
  published: true,
});

export const accountScriptTable = table({
  name: "account_script",
  comment: "Scripts of accounts. height: where it was set; its callables are known with the complexities of then.",
  key: ["address"],
  columns: {
    address: bytes<Address>(),
    publicKey: bytes<PublicKey>(),
    script: bytes<Script>(),
    verifierComplexity: i64,
    /** Where the script was set: its callables are known with the complexities of then. */
    height: publishedLater(int, 0),
  },
  published: true,
});
export type AccountScriptRow = RowOf<typeof accountScriptTable>;

const leaseStatuses = ["active", "canceled", "expired"] as const satisfies readonly LeaseDetails["status"][];

export const leaseTable = table({
  name: "lease",
  comment: "Leases, those too that have ended.",
  key: ["id"],
  columns: {
    id: bytes<LeaseId>(),
    sender: bytes<PublicKey>(),
    recipient: bytes<Address>(),
    amount: i64,
    originTransactionId: named("origin_tx", bytes<TransactionId>()),
    height: int,
    status: oneOf(leaseStatuses),
    cancelHeight: nullable(int),
    cancelTransactionId: named("cancel_tx", nullable(bytes<TransactionId>())),
  },
  published: true,
});
export type LeaseRow = RowOf<typeof leaseTable>;

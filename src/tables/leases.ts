/** Leases. Totals of an account are with its balances (`accounts.ts`). */
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { LeaseId, TransactionId } from "../protocol/transactions/transaction.ts";
import type { LeaseDetails } from "../rules/state/state-view.ts";
import { bytes, i64, int, named, nullable, oneOf } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

const leaseStatuses = ["active", "canceled", "expired"] as const satisfies readonly LeaseDetails["status"][];

export const leaseTable = table({
  name: "lease",
  comment: "Leases, active and ended ones.",
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
  inCheckpoint: "all",
});
export type LeaseRow = RowOf<typeof leaseTable>;

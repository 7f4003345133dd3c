/** Prefetch of rows that the transactions of the next blocks need: one query for many rows. */

import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { hasSender } from "../../../src/protocol/transactions/signer.ts";
import { formatOf } from "../../../src/protocol/transactions/table.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { orderSenderAddress, senderAddress } from "../../../src/rules/transactions/sender-address.ts";
import { accountScriptTable } from "../../../src/tables/account-scripts.ts";
import { accountTable } from "../../../src/tables/accounts.ts";
import { transactionTable } from "../../../src/tables/blocks.ts";
import { orderFillTable } from "../../../src/tables/order-fills.ts";
import type { StateStore } from "../state/state-store.ts";

/** Minimum number of transactions for which a prefetch pays. */
const MANY_TRANSACTIONS = 8;

/**
 * Reads the accounts of senders and those that the fields name, how far orders are filled, and whether the ids of the
 * transactions are taken.
 */
export function prefetch(store: StateStore, transactions: readonly Transaction[]): void {
  if (transactions.length < MANY_TRANSACTIONS) return;
  const accounts = new Map<string, { readonly address: Address }>();
  const add = (address: Address): void => {
    accounts.set(bytesKey(address), { address });
  };
  for (const transaction of transactions) if (hasSender(transaction)) add(senderAddress(transaction));
  store.prefetchLatest(
    transactionTable,
    transactions.map(({ id }) => ({ id })),
  );
  store.prefetch(accountScriptTable, accounts.values());
  for (const transaction of transactions) for (const address of namedAccounts(transaction)) add(address);
  store.prefetch(accountTable, accounts.values());
  const orders = transactions.flatMap((transaction) =>
    transaction.type === TransactionType.Exchange ? [{ id: transaction.order1.id }, { id: transaction.order2.id }] : [],
  );
  if (orders.length > 0) store.prefetch(orderFillTable, orders);
}

/** Accounts that the transaction names by address, and the owners of its orders. */
function namedAccounts(transaction: Transaction): readonly Address[] {
  if (transaction.type === TransactionType.Exchange)
    return [orderSenderAddress(transaction.order1), orderSenderAddress(transaction.order2)];
  const recipients = formatOf(transaction.type).recipients?.(transaction) ?? [];
  return recipients.flatMap((recipient) => (recipient.kind === "address" ? [recipient.address] : []));
}

/**
 * State that a transaction reads in any case, read ahead in any order. A view with remote rows fetches concurrent reads
 * in one batch, while the rules read one item after the other and stop at the first error.
 */
import { hasSender } from "../../protocol/transactions/signer.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../state/state-view.ts";
import { orderSenderAddress, senderAddress } from "./sender-address.ts";

/** Starts the reads and ignores their results. */
export function readAhead(transaction: Transaction, view: StateView): void {
  view.findHeader(view.height);
  view.findTransaction(transaction.id);
  if (transaction.feeAsset !== null) view.findAsset(transaction.feeAsset);
  const senders = hasSender(transaction) ? [senderAddress(transaction)] : [];
  if (transaction.type === TransactionType.Exchange) {
    for (const order of [transaction.order1, transaction.order2]) {
      view.orderFill(order.id);
      senders.push(orderSenderAddress(order));
    }
  }
  for (const sender of senders) {
    view.balance(sender, null);
    view.findAccountScript(sender);
  }
  for (const recipient of formatOf(transaction.type).recipients?.(transaction) ?? []) {
    if (recipient.kind === "address") view.balance(recipient.address, null);
    else {
      view.findAliasOwner(recipient.alias);
      view.isAliasTakenOver(recipient.alias);
    }
  }
}

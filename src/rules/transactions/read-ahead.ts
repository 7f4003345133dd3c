/**
 * What a transaction reads whatever becomes of it, read beforehand and in no order: a view whose rows come from far fetches
 * together what was asked together, while the rules ask for one thing after the other and stop at the first fault.
 */
import { hasSender } from "../../protocol/transactions/signer.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../state/state-view.ts";
import { orderSenderAddress, senderAddress } from "./sender-address.ts";

/** Asks the view for them and looks at no answer. */
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

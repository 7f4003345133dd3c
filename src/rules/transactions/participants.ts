/**
 * The accounts whose lists of transactions show a transaction.
 * @source Waves: state/NewTransactionInfo.scala
 */

import { bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { flatMapItems, type ItemTable, nothingOf } from "../../protocol/snapshots/item-table.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { ethereumPayload } from "../../protocol/transactions/ethereum.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type { Recipient, Transaction, TransactionStatus } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { InvokedCall } from "../../ride/results/call-result.ts";
import type { StateView } from "../state/state-view.ts";
import { orderSenderAddress, senderAddress } from "./sender-address.ts";

/**
 * Accounts that the transaction touched, each once: those whose balances, leases or data it changed, and the dApp it
 * called. Of an elided one, which changed nothing, those that it names.
 * @param snapshot its own effect, without the generator's share of the fee: the generator takes no part in it
 * @param view the state before the transaction
 * @param invokes calls that dApps made
 */
export function affectedAddresses(
  transaction: Transaction,
  snapshot: Snapshot,
  view: StateView,
  status: TransactionStatus,
  invokes: readonly InvokedCall[] = [],
): readonly Address[] {
  const changed = status === "elided" ? namedAccounts(transaction, view) : flatMapItems(snapshot, touchedAccounts);
  const distinct = new Map(
    [...changed, ...calledBelow(invokes), ...calledDApp(transaction, view)].map((address) => [
      bytesKey(address),
      address,
    ]),
  );
  return [...distinct.values()];
}

const owner = ({ address }: { readonly address: Address }): readonly Address[] => [address];

/** Whose balances, leases or data change. */
const touchedAccounts: ItemTable<readonly Address[]> = {
  balances: owner,
  leaseBalances: owner,
  accountData: owner,
  newLeases: nothingOf,
  cancelledLeases: nothingOf,
  assetStatics: nothingOf,
  assetVolumes: nothingOf,
  assetTexts: nothingOf,
  assetScripts: nothingOf,
  aliases: nothingOf,
  orderFills: nothingOf,
  accountScripts: nothingOf,
  sponsorships: nothingOf,
  generationCommitments: nothingOf,
};

function calledBelow(invokes: readonly InvokedCall[]): readonly Address[] {
  return invokes.flatMap(({ dApp, result }) => [dApp, ...calledBelow(result.invokes)]);
}

function calledDApp(transaction: Transaction, view: StateView): readonly Address[] {
  switch (transaction.type) {
    case TransactionType.InvokeScript:
      return resolved([transaction.dApp], view);
    case TransactionType.Ethereum: {
      const payload = ethereumPayload(transaction);
      return payload.kind === "invocation" ? [payload.dApp] : [];
    }
    default:
      return [];
  }
}

/** The sender and the accounts that the fields name; not those that a run would have found. */
function namedAccounts(transaction: Transaction, view: StateView): readonly Address[] {
  switch (transaction.type) {
    case TransactionType.Genesis:
    case TransactionType.Payment:
      return [];
    case TransactionType.Exchange: {
      const { order1, order2 } = transaction;
      return [senderAddress(transaction), orderSenderAddress(order1), orderSenderAddress(order2)];
    }
    case TransactionType.LeaseCancel: {
      const lease = view.findLease(transaction.leaseId);
      return [senderAddress(transaction), ...(lease === undefined ? [] : [lease.recipient])];
    }
    case TransactionType.Ethereum: {
      const payload = ethereumPayload(transaction);
      return payload.kind === "transfer" ? [transaction.sender, payload.recipient] : [transaction.sender];
    }
    default: {
      const recipients = formatOf(transaction.type).recipients?.(transaction) ?? [];
      return [senderAddress(transaction), ...resolved(recipients, view)];
    }
  }
}

/** The addresses behind the recipients; aliases that nobody owns are passed over. */
function resolved(recipients: readonly Recipient[], view: StateView): readonly Address[] {
  return recipients.flatMap((recipient) => {
    const address = recipient.kind === "address" ? recipient.address : view.findAliasOwner(recipient.alias);
    return address === undefined ? [] : [address];
  });
}

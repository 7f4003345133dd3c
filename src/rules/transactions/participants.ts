/**
 * Accounts whose transaction lists contain a transaction.
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
 * Accounts that the transaction affected, without duplicates: those with changed balances, leases or data, and the
 * called dApp. For an elided one, which changed nothing, the accounts in its fields.
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
  const changed = status === "elided" ? accountsInFields(transaction, view) : flatMapItems(snapshot, touchedAccounts);
  const distinct = new Map(
    [...changed, ...nestedCallees(invokes), ...calledDApp(transaction, view)].map((address) => [
      bytesKey(address),
      address,
    ]),
  );
  return [...distinct.values()];
}

const owner = ({ address }: { readonly address: Address }): readonly Address[] => [address];

/** Accounts with changed balances, leases or data. */
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

function nestedCallees(invokes: readonly InvokedCall[]): readonly Address[] {
  return invokes.flatMap(({ dApp, result }) => [dApp, ...nestedCallees(result.invokes)]);
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

/** The sender and the accounts in the fields; not those that an execution would have found. */
function accountsInFields(transaction: Transaction, view: StateView): readonly Address[] {
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

/** Addresses of the recipients; aliases without an owner are skipped. */
function resolved(recipients: readonly Recipient[], view: StateView): readonly Address[] {
  return recipients.flatMap((recipient) => {
    const address = recipient.kind === "address" ? recipient.address : view.findAliasOwner(recipient.alias);
    return address === undefined ? [] : [address];
  });
}

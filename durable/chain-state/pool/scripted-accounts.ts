/**
 * Accounts whose scripts a transaction runs.
 * @source Waves: utx/UtxPoolImpl.scala (scriptedAddresses, TxCheck.isScripted)
 */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { hasSender, type SentTransaction } from "../../../src/protocol/transactions/signer.ts";
import { formatOf } from "../../../src/protocol/transactions/table.ts";
import type { Recipient, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { scriptedAssets } from "../../../src/rules/transactions/checks/scripted-assets.ts";
import { orderSenderAddress, senderAddress } from "../../../src/rules/transactions/sender-address.ts";

/**
 * Whether the transaction counts for the pool's limit of scripted ones: calls, and transactions of scripted accounts.
 */
export function isScripted(transaction: Transaction, view: StateView): boolean {
  switch (transaction.type) {
    case TransactionType.Genesis:
    case TransactionType.Exchange:
      return false;
    case TransactionType.InvokeScript:
      return true;
    default:
      return hasScript(senderAddress(transaction), view);
  }
}

/** Whether the transaction may run scripts besides verifiers: dApps and asset scripts. */
export function runsScripts(transaction: Transaction, view: StateView): boolean {
  const { type } = transaction;
  if (formatOf(type).callsDApps === true || type === TransactionType.Exchange) return true;
  return scriptedAssets(transaction, view).length > 0;
}

/** Accounts whose verifiers or functions the transaction runs; empty for most transactions. */
export function scriptedAccounts(transaction: Transaction, view: StateView): readonly BytesKey[] {
  if (!hasSender(transaction)) return [];
  const accounts = signersOf(transaction).filter((account) => hasScript(account, view));
  const dApp = transaction.type === TransactionType.InvokeScript ? resolve(transaction.dApp, view) : undefined;
  if (dApp !== undefined) accounts.push(dApp);
  return accounts.map(bytesKey);
}

/**
 * Whether the signatures of a transaction that is valid now are valid in every later state: no script replaces one, and
 * weak keys are already refused. Signatures of impersonated accounts of a dev chain were not verified.
 */
export function areSignaturesFinal(transaction: Transaction, view: StateView): boolean {
  if (!view.has(Feature.RideV6) || scriptedAccounts(transaction, view).length > 0) return false;
  const { exemption } = view;
  return (
    exemption === undefined || !hasSender(transaction) || !signersOf(transaction).some((it) => exemption.covers(it))
  );
}

function signersOf(transaction: SentTransaction): Address[] {
  const sender = senderAddress(transaction);
  if (transaction.type !== TransactionType.Exchange) return [sender];
  return [sender, orderSenderAddress(transaction.order1), orderSenderAddress(transaction.order2)];
}

function hasScript(account: Address, view: StateView): boolean {
  return view.findAccountScript(account) !== undefined;
}

function resolve(recipient: Recipient, view: StateView): Address | undefined {
  return recipient.kind === "address" ? recipient.address : view.findAliasOwner(recipient.alias);
}

/**
 * Admission rules of the pool besides the chain's rules: its limits and its list of blocked senders.
 * @source Waves: utx/UtxPoolImpl.scala (putNewTx)
 */

import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { UtxSettings } from "../../../src/network/settings.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { hasSender } from "../../../src/protocol/transactions/signer.ts";
import type { Recipient, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { senderAddress } from "../../../src/rules/transactions/sender-address.ts";
import { recipientText } from "./pool-order.ts";

/** Usage of the pool. */
export interface PoolUsage {
  readonly transactions: number;
  readonly bytes: number;
  readonly scriptedTransactions: number;
}

/**
 * Transactions that are exempt from the limits may fill the pool up to this many times each limit. The reference has no
 * bound for them: a client that raises its fee by one wavelet each time could take all memory.
 */
const HARD_LIMIT_FACTOR = 2;

export interface Candidate {
  readonly transaction: Transaction;
  readonly sizeBytes: number;
  readonly isScripted: boolean;
  readonly isFavoured: boolean;
  /** Whether the transaction pays more than every other in the pool. */
  readonly isMostProfitable: boolean;
}

/** @throws RuleError poolFull, poolTakesNoneOfSender, poolTakesNoScripted */
export function checkAdmission(candidate: Candidate, usage: PoolUsage, settings: UtxSettings): void {
  const passesLimits = candidate.isFavoured || (settings.allowSkipChecks && candidate.isMostProfitable);
  const factor = passesLimits ? HARD_LIMIT_FACTOR : 1;
  const checkLimit = (of: keyof PoolUsage, after: number, limit: number): void => {
    if (after > limit * factor) throw new RuleError({ code: "poolFull", of, limit });
  };
  checkLimit("transactions", usage.transactions + 1, settings.maxSize);
  checkLimit("bytes", usage.bytes + candidate.sizeBytes, settings.maxBytesSize);
  if (!candidate.isFavoured) checkSender(candidate.transaction, settings);
  if (!candidate.isScripted) return;
  if (!settings.allowTransactionsFromSmartAccounts) throw new RuleError({ code: "poolTakesNoScripted" });
  checkLimit("scriptedTransactions", usage.scriptedTransactions + 1, settings.maxScriptedSize);
}

/** Whether there is room for a transaction returned from the chain: only the hard limits apply to it. */
export function hasRoom(usage: PoolUsage, settings: UtxSettings): boolean {
  return (
    usage.transactions < settings.maxSize * HARD_LIMIT_FACTOR && usage.bytes < settings.maxBytesSize * HARD_LIMIT_FACTOR
  );
}

/** Checks the sender: a blocked one may only transfer, and only to the recipients named in the settings. */
function checkSender(transaction: Transaction, settings: UtxSettings): void {
  if (settings.blacklistSenderAddresses.size === 0 || !hasSender(transaction)) return;
  const sender = senderAddress(transaction);
  if (!settings.blacklistSenderAddresses.has(encodeBase58(sender))) return;
  const recipients = recipientsOf(transaction);
  const isAllowed = (recipient: Recipient) => settings.allowBlacklistedTransferTo.has(recipientText(recipient));
  if (recipients.length === 0 || !recipients.every(isAllowed))
    throw new RuleError({ code: "poolTakesNoneOfSender", sender });
}

function recipientsOf(transaction: Transaction): readonly Recipient[] {
  if (transaction.type === TransactionType.Transfer) return [transaction.recipient];
  return transaction.type === TransactionType.MassTransfer
    ? transaction.transfers.map(({ recipient }) => recipient)
    : [];
}

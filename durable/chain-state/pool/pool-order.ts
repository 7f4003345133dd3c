/**
 * Order in which a miner takes transactions: those of favoured accounts first, then those with the highest fee per
 * byte.
 * @source Waves: consensus/TransactionsOrdering.scala InUTXPool
 */

import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { UtxSettings } from "../../../src/network/settings.ts";
import { aliasText } from "../../../src/protocol/transactions/alias.ts";
import { transactionSizeBytes } from "../../../src/protocol/transactions/encode-for-block.ts";
import { hasSender } from "../../../src/protocol/transactions/signer.ts";
import type { Recipient, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { senderAddress } from "../../../src/rules/transactions/sender-address.ts";

/** Properties that decide a transaction's position. */
export interface PoolRank {
  /** Whether the transaction comes from, or calls, an account of the fast lane. */
  readonly isFavoured: boolean;
  /** Wavelets; 0 for a fee in another asset, sponsored or not. */
  readonly fee: bigint;
  readonly feePerByte: number;
  readonly timestampMs: number;
  /** Number in order of arrival: the reference does not define the order of equals. */
  readonly arrival: number;
}

/** Size with which every exchange counts, so that none pays for optional fields of its orders. */
const exchangeSizeBytes = 676;

export function poolRank(transaction: Transaction, arrival: number, settings: UtxSettings): PoolRank {
  const fee = transaction.feeAsset === null ? transaction.fee : 0n;
  const sizeBytes =
    transaction.type === TransactionType.Exchange ? exchangeSizeBytes : transactionSizeBytes(transaction);
  return {
    isFavoured: isFavoured(transaction, settings.fastLaneAddresses),
    fee,
    feePerByte: Number(fee) / sizeBytes,
    timestampMs: Number(transaction.timestamp),
    arrival,
  };
}

/** Negative when the left one is taken first, zero for equals. */
export function compareProfit(left: Omit<PoolRank, "arrival">, right: Omit<PoolRank, "arrival">): number {
  if (left.isFavoured !== right.isFavoured) return left.isFavoured ? -1 : 1;
  if (left.feePerByte !== right.feePerByte) return right.feePerByte - left.feePerByte;
  if (left.fee !== right.fee) return left.fee > right.fee ? -1 : 1;
  return left.timestampMs - right.timestampMs;
}

/** A total order: equals in order of arrival. */
export function compareRanks(left: PoolRank, right: PoolRank): number {
  return compareProfit(left, right) || left.arrival - right.arrival;
}

function isFavoured(transaction: Transaction, fastLane: ReadonlySet<string>): boolean {
  if (fastLane.size === 0 || !hasSender(transaction)) return false;
  if (fastLane.has(encodeBase58(senderAddress(transaction)))) return true;
  return transaction.type === TransactionType.InvokeScript && fastLane.has(recipientText(transaction.dApp));
}

/** Recipient as written in a setting: an address, or an alias with its prefix. */
export function recipientText(recipient: Recipient): string {
  return recipient.kind === "address" ? encodeBase58(recipient.address) : aliasText(recipient.alias);
}

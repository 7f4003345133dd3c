/**
 * Encoding of transactions.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: mining/TxEstimators.scala,
 *   protobuf/transaction/PBTransactions.scala
 */

import { BlockVersion } from "../blocks/block-version.ts";
import { proofsOf } from "./assemble-transaction.ts";
import { findLegacyForm } from "./legacy-form.ts";
import { encodeSigned, encodeTransactionMessage } from "./signed-transaction.ts";
import { formatOf } from "./table.ts";
import type { Transaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

/** Encodes the transaction for a block: in its own form up to version 4, in protobuf from version 5 on. */
export function encodeForBlock(tx: Transaction, blockVersion: number): Uint8Array {
  return blockVersion < BlockVersion.Protobuf ? tx.bytes : encodeProtobuf(tx);
}

/** Encodes a transaction of any version as `SignedTransaction`. */
export function encodeProtobuf(tx: Transaction): Uint8Array {
  const format = formatOf(tx.type);
  if (tx.type === TransactionType.Ethereum || findLegacyForm(format, tx.version) === undefined) return tx.bytes;
  return encodeSigned(encodeTransactionMessage(format, tx), proofsOf(tx));
}

/**
 * Size of the transaction in its own form, as the UTX pool counts it. The size limit of a block counts the bytes of
 * `encodeForBlock` instead.
 */
export function transactionSizeBytes(tx: Transaction): number {
  return tx.type === TransactionType.Ethereum ? tx.ethereumBytes.length : tx.bytes.length;
}

/**
 * Transactions from bytes, in both forms.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: transaction/TransactionParsers.scala,
 *   protobuf/transaction/PBTransactions.scala
 */
import { assembleTransaction } from "./assemble-transaction.ts";
import { parseEthereumTransaction } from "./ethereum.ts";
import { readLegacy } from "./legacy-form.ts";
import { readSignedTransaction } from "./signed-transaction.ts";
import type { Transaction, TransactionId } from "./transaction.ts";
import { ownRecords, type TransactionSource, withWrittenScript } from "./transaction-source.ts";

/**
 * Parses a transaction in the legacy binary form, as in blocks of versions 1 to 4 and in messages of that time. The
 * input must be exactly one transaction.
 * @param chainId of the network, for forms that do not write it
 * @throws WireError when the bytes are malformed; FormatError when the values are invalid in every state
 */
export function parseTransaction(
  bytes: Uint8Array,
  chainId: number,
  source: TransactionSource = ownRecords,
): Transaction {
  const { format, fields, bodyBytes } = readLegacy(bytes, chainId);
  const written = withWrittenScript(fields, source);
  return assembleTransaction(format, written, written === fields ? { bodyBytes, bytes: bytes.slice() } : {});
}

/**
 * Parses a protobuf `SignedTransaction`, as in blocks of version 5. Transactions of older versions have the body, the
 * id and the bytes of their legacy form. The result has the canonical encoding, as in the reference.
 * @param chainId of the network; a transaction of another chain is parsed too, and refused when it is applied
 * @param knownId id of a record written by this node: hashing a large transaction costs more than parsing it
 * @throws WireError when the bytes are malformed; FormatError when the values are invalid in every state
 */
export function parseSignedTransaction(
  bytes: Uint8Array,
  chainId: number,
  source: TransactionSource = ownRecords,
  knownId?: TransactionId,
): Transaction {
  const parts = readSignedTransaction(bytes, chainId, source);
  return "ethereumBytes" in parts
    ? parseEthereumTransaction(parts.ethereumBytes, chainId, source)
    : assembleTransaction(parts.format, withWrittenScript(parts.fields, source), { id: knownId });
}

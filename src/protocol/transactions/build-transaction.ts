/** Transactions from the fields that a sender chooses. */

import { assembleTransaction } from "./assemble-transaction.ts";
import { parseEthereumTransaction } from "./ethereum.ts";
import { formatOf } from "./table.ts";
import type { Transaction, TransactionFields } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

/**
 * The transaction with its body bytes, id and bytes. To sign one, build it without proofs, sign `bodyBytes`, and build
 * it again with the proofs. Of an Ethereum transaction only `ethereumBytes` and `chainId` are used.
 * @throws FormatError when the values are invalid in every state
 */
export function buildTransaction<Fields extends TransactionFields>(
  fields: Fields,
): Extract<Transaction, { type: Fields["type"] }> {
  const tx =
    fields.type === TransactionType.Ethereum
      ? parseEthereumTransaction(fields.ethereumBytes, fields.chainId, { isRecord: true })
      : assembleTransaction(formatOf(fields.type), fields);
  return tx as Extract<Transaction, { type: Fields["type"] }>;
}

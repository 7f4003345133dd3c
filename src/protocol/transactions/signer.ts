/** Type guards for the signer of a transaction. */
import { formatOf } from "./table.ts";
import type { AuthorizedTransaction, GenesisTransaction, Transaction } from "./transaction.ts";

/** A transaction with a sender, who pays its fee. */
export type SentTransaction = Exclude<Transaction, GenesisTransaction>;

/** Whether the transaction has a sender: all but genesis transactions. */
export function hasSender(transaction: Transaction): transaction is SentTransaction {
  return formatOf(transaction.type).signer !== "nobody";
}

/** Whether a curve25519 account signs it with proofs: all but genesis and Ethereum transactions. */
export function hasProofs(transaction: Transaction): transaction is AuthorizedTransaction {
  return formatOf(transaction.type).signer === "account";
}

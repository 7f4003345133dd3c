/** Who stands for a transaction, where the compiler has to know it too. */
import { formatOf } from "./table.ts";
import type { AuthorizedTransaction, GenesisTransaction, Transaction } from "./transaction.ts";

/** A transaction that somebody sends, and pays for. */
export type SentTransaction = Exclude<Transaction, GenesisTransaction>;

/** Whether somebody sends it: all but what the genesis block grants. */
export function hasSender(transaction: Transaction): transaction is SentTransaction {
  return formatOf(transaction.type).signer !== "nobody";
}

/** Whether it is signed with proofs by the account of a curve25519 key: all but genesis and Ethereum ones. */
export function hasProofs(transaction: Transaction): transaction is AuthorizedTransaction {
  return formatOf(transaction.type).signer === "account";
}

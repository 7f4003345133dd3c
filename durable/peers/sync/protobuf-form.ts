/** Transactions go to the chain, and on to other peers, as protobuf, in which texts are UTF-8. Older forms have any bytes there. */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";

/** Whether the transaction is the same one when it was written as protobuf: neither its id nor its signatures hold for another. */
export function isSameInProtobuf(transaction: Transaction, chainId: number): boolean {
  return equalBytes(parseSignedTransaction(encodeProtobuf(transaction), chainId).id, transaction.id);
}

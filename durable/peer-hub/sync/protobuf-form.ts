/**
 * Protobuf form of older transactions: all go to the chain and to other peers as protobuf, where texts are UTF-8. Older
 * forms allow any bytes there.
 */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";

/**
 * Whether the transaction stays the same in protobuf; otherwise neither its id nor its signatures are valid for the
 * other one.
 */
export function isSameInProtobuf(transaction: Transaction, chainId: number): boolean {
  return equalBytes(parseSignedTransaction(encodeProtobuf(transaction), chainId).id, transaction.id);
}

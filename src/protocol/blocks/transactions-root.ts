/**
 * Merkle tree over the transactions of a version 5 block.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: block/package.scala, PBTransactions.toByteArrayMerkle
 */

import type { Digest } from "../../crypto/identities.ts";
import { EMPTY_MERKLE_TREE, type MerkleTree } from "../../crypto/merkle.ts";
import { decodeMessage, message, scalar } from "../codec/protobuf.ts";
import { encodeForBlock } from "../transactions/encode-for-block.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { TransactionType } from "../transactions/transaction-type.ts";
import { BlockVersion } from "./block-version.ts";

/** Root over the transactions in the block's order: the header's `transactionsRoot`. */
export function transactionsRoot(transactions: readonly Transaction[]): Digest {
  return transactionsTree(transactions).root();
}

// PERF: a block's root is checked before it is appended, and the nodes are stored once the next block follows.
const knownTrees = new WeakMap<readonly Transaction[], MerkleTree>();

/** Tree over the transactions of a version 5 block. Cached for each list, which must not change. */
export function transactionsTree(transactions: readonly Transaction[]): MerkleTree {
  let tree = knownTrees.get(transactions);
  if (tree === undefined) {
    tree = EMPTY_MERKLE_TREE.append(transactions.map(merkleMessage));
    knownTrees.set(transactions, tree);
  }
  return tree;
}

/** Bytes of a leaf: the protobuf form; for an Ethereum transaction its own signed form. */
export function merkleMessage(transaction: Transaction): Uint8Array {
  return transaction.type === TransactionType.Ethereum
    ? transaction.ethereumBytes
    : encodeForBlock(transaction, BlockVersion.Protobuf);
}

/** `waves.SignedTransaction`, with only the field of an Ethereum transaction. */
const signedEthereum = message("SignedTransaction", { ethereumTransaction: scalar(3, "bytes") });

/**
 * Same as `merkleMessage`, for the bytes of a transaction in a version 5 block, without parsing all of it.
 * @throws WireError
 */
export function merkleMessageOfBytes(signedTransaction: Uint8Array): Uint8Array {
  const { ethereumTransaction } = decodeMessage(signedEthereum, signedTransaction);
  return ethereumTransaction.length > 0 ? ethereumTransaction : signedTransaction;
}

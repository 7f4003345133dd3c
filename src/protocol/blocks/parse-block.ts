/**
 * Blocks of any version as bytes, as in block files and peer messages.
 * @source docs/protocol/consensus-and-finality.md 1.6
 */

import { encodeForBlock } from "../transactions/encode-for-block.ts";
import { parseSignedTransaction, parseTransaction } from "../transactions/parse-transaction.ts";
import { ownRecords, type TransactionSource } from "../transactions/transaction-source.ts";
import type { Block, BlockHeader, BlockId, SignedHeader, SplitBlock } from "./block.ts";
import { parseBlockTransactions } from "./block-transactions.ts";
import { BlockVersion } from "./block-version.ts";
import { joinLegacyBlock, legacySignedBytes, splitLegacyBlock } from "./legacy-block.ts";
import { headerBytes, headerId, joinProtobufBlock, protobufBlockSize, splitProtobufBlock } from "./protobuf-block.ts";

/** Tag of the first field of a protobuf block, its header; a legacy block begins with its version, 1 to 4. */
const protobufFirstByte = 0x0a;

/**
 * Parses a block. The first byte determines the form.
 * @param chainId of the network
 * @throws WireError; RuleError blockVersionUnexpected, those of the transactions
 */
export function parseBlock(bytes: Uint8Array, chainId: number, source: TransactionSource = ownRecords): Block {
  return parseSplitBlock(splitBlock(bytes, chainId), chainId, source);
}

/** Parses a block without its transactions. @throws WireError; RuleError blockVersionUnexpected */
export function splitBlock(bytes: Uint8Array, chainId: number): SplitBlock {
  return bytes[0] === protobufFirstByte ? splitProtobufBlock(bytes, chainId) : splitLegacyBlock(bytes);
}

/** Parses the transactions. @throws WireError; RuleError those of the transactions */
export function parseSplitBlock({ head, transactions }: SplitBlock, chainId: number, source: TransactionSource): Block {
  const parse = isProtobuf(head.header) ? parseSignedTransaction : parseTransaction;
  return { ...head, transactions: parseBlockTransactions(transactions, (one) => parse(one, chainId, source)) };
}

/** Encodes a block, in the form of its version. */
export function encodeBlock(block: Block, chainId: number): Uint8Array {
  return joinBlock(splitOf(block), chainId);
}

/** Size of the block in the REST API: that of the reference's encoding, which is longer for negative votes. */
export function blockSizeBytes(block: Block, chainId: number): number {
  return isProtobuf(block.header) ? protobufBlockSize(splitOf(block), chainId) : encodeBlock(block, chainId).length;
}

function splitOf({ transactions, ...head }: Block): SplitBlock {
  const { version } = head.header;
  return { head, transactions: transactions.map((one) => encodeForBlock(one, version)) };
}

/** Same as `encodeBlock`, for transactions that are already bytes. */
export function joinBlock(block: SplitBlock, chainId: number): Uint8Array {
  return isProtobuf(block.head.header) ? joinProtobufBlock(block, chainId) : joinLegacyBlock(block);
}

/** Bytes that the generator signs: the header in version 5, before that everything except the signature. */
export function signedBytes(block: Pick<Block, "header" | "transactions">, chainId: number): Uint8Array {
  return isProtobuf(block.header) ? headerBytes(block.header, chainId) : legacySignedBytes(block);
}

/** Id of a block: the hash of its header in version 5, before that its signature. */
export function blockId({ header, signature }: Pick<SignedHeader, "header" | "signature">, chainId: number): BlockId {
  return isProtobuf(header) ? headerId(headerBytes(header, chainId)) : (signature as Uint8Array as BlockId);
}

function isProtobuf({ version }: BlockHeader): boolean {
  return version >= BlockVersion.Protobuf;
}

/**
 * A block of any version as bytes: as it stands in block files and in the messages of peers.
 * @source spec/consensus-and-finality.md 1.6
 */

import { ownRecords, type TransactionSource } from "../transactions/transaction-source.ts";
import type { Block, BlockHeader, BlockId, SignedHeader } from "./block.ts";
import { BlockVersion } from "./block-version.ts";
import { encodeLegacyBlock, legacySignedBytes, parseLegacyBlock } from "./legacy-block.ts";
import { encodeProtobufBlock, headerBytes, headerId, parseProtobufBlock } from "./protobuf-block.ts";

/** Tag of the first field of a protobuf block, its header; a legacy block begins with its version, 1 to 4. */
const protobufFirstByte = 0x0a;

/**
 * Reads a block. The first byte tells the two forms apart.
 * @param chainId of the network
 * @throws WireError; RuleError blockVersionUnexpected, those of the transactions
 */
export function parseBlock(bytes: Uint8Array, chainId: number, source: TransactionSource = ownRecords): Block {
  const parse = bytes[0] === protobufFirstByte ? parseProtobufBlock : parseLegacyBlock;
  return parse(bytes, chainId, source);
}

/** The block's bytes, in the form of its version. Their number is the block's size in the REST interface. */
export function encodeBlock(block: Block, chainId: number): Uint8Array {
  return isProtobuf(block.header) ? encodeProtobufBlock(block, chainId) : encodeLegacyBlock(block);
}

/** What the generator signs: the header in version 5, before that everything but the signature. */
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

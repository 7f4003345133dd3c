/**
 * Blocks of files that other nodes wrote. @source Waves: Importer.scala, Exporter.scala, protobuf/block/PBBlocks.scala
 * (addChainId)
 */
import type { Block } from "../../protocol/blocks/block.ts";
import { parseBlock } from "../../protocol/blocks/parse-block.ts";
import type { TransactionSource } from "../../protocol/transactions/transaction-source.ts";
import { writtenScript } from "../../ride/script/written-script.ts";

/** The reference omits chain ids in its files. */
const blockFile: TransactionSource = { writtenScript, ignoresChainId: true, isRecord: false };

/** @param chainId of the network. @throws as `parseBlock` */
export function readFiledBlock(bytes: Uint8Array, chainId: number): Block {
  return parseBlock(bytes, chainId, blockFile);
}

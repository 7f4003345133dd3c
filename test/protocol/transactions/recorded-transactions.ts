/** Transactions of recorded chains, as bytes, extracted without the block parser. */
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { decodeMessage, message, repeated } from "../../../src/protocol/codec/protobuf.ts";
import { recordsOf } from "../recorded-blocks.ts";

/** A transaction as a block contains it. */
export interface RecordedTransaction {
  readonly blockVersion: number;
  readonly bytes: Uint8Array;
}

const protobufBlock = message("Block", { transactions: repeated(3, "bytes") });
/** version, timestamp, reference, then base target and generation signature after their size. */
const legacyHeadBytes = 1 + 8 + 64 + 4 + 40;

/** All transactions of a block file. */
export function transactionsOf(blockFile: Uint8Array): RecordedTransaction[] {
  return recordsOf(blockFile).flatMap((block) => transactionsOfBlock(block));
}

export function transactionsOfBlock(block: Uint8Array): RecordedTransaction[] {
  const blockVersion = block[0] as number;
  return blockVersion > 0 && blockVersion < BlockVersion.Protobuf
    ? legacyTransactions(block, blockVersion)
    : decodeMessage(protobufBlock, block).transactions.map((bytes) => ({ blockVersion: BlockVersion.Protobuf, bytes }));
}

function legacyTransactions(block: Uint8Array, blockVersion: number): RecordedTransaction[] {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  let offset = legacyHeadBytes + 4;
  const count = blockVersion < BlockVersion.Ng ? view.getUint8(offset) : view.getInt32(offset);
  offset += blockVersion < BlockVersion.Ng ? 1 : 4;
  return Array.from({ length: count }, () => {
    const sizeBytes = view.getInt32(offset);
    const bytes = block.slice(offset + 4, offset + 4 + sizeBytes);
    offset += 4 + sizeBytes;
    return { blockVersion, bytes };
  });
}

/** A value as text, for fast comparison of many large ones: bytes in hex, members sorted. */
export function dump(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex");
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(dump).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${dump(member)}`).join()}}`;
}

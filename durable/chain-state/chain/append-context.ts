import type { Block } from "../../../src/protocol/blocks/block.ts";
import { parseSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import { includeBySnapshots } from "../../../src/rules/blocks/include-by-snapshots.ts";
import type { FlagReader } from "../../../src/rules/blocks/verified-signatures.ts";
import type { AppendContext } from "./liquid-chain.ts";

/** Append options that all blocks sent together share. */
export type SharedAppendContext = Pick<AppendContext, "nowMs" | "slicedValidation">;

/**
 * Returns the append options of a block, some of whose signatures may have been verified before.
 * @param flags positioned at the flags of the block; afterwards after them
 */
export function appendContextOf(flags: FlagReader, transactions: number, terms: SharedAppendContext): AppendContext {
  const verifyBlockSignature = !flags.next();
  const verified = Array.from({ length: transactions }, () => flags.next());
  return { ...terms, verifySignatures: true, verifyBlockSignature, isVerified: (index) => verified[index] === true };
}

/**
 * Returns the append options of a block, whose snapshots may have been sent with it.
 * @param record as in a snapshot file; undefined: the block's transactions are run
 * @throws WireError; RuleError snapshotCountWrong
 */
export function withSnapshots(context: AppendContext, block: Block, record: Uint8Array | undefined): AppendContext {
  if (record === undefined) return context;
  const { header, transactions } = block;
  return { ...context, include: includeBySnapshots(parseSnapshotRecord(record), { ...header, transactions }) };
}

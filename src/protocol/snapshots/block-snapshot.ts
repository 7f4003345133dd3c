/**
 * The change sets of all transactions of a block or micro-block: as light nodes ask for them, and as files hold them.
 * @source spec/snapshots-and-state-hash.md 2; waves/state_snapshot.proto
 */

import type { BlockId } from "../blocks/block.ts";
import { ByteReader, readField } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";
import { bytesWithLength, i32 } from "../codec/codec.ts";
import { decodeMessage, encodeMessage, message, repeated, scalar } from "../codec/protobuf.ts";
import { WireError } from "../faults.ts";

/**
 * Change sets in the order of the transactions, each still in its wire form: reading one takes its transaction's id
 * (see `parseTransactionSnapshot`).
 */
export interface BlockSnapshot {
  /** Id of the block, or total block id of the micro-block. */
  readonly blockId: BlockId;
  readonly snapshots: readonly Uint8Array[];
}

/** `waves.BlockSnapshot` and `waves.MicroBlockSnapshot` have the same form. */
const blockSnapshotMessageType = message("blockSnapshot", {
  blockId: scalar(1, "bytes"),
  snapshots: repeated(2, "bytes"),
});

/** Reads the payload of messages 36 (block) and 37 (micro-block). @throws WireError */
export function parseBlockSnapshot(bytes: Uint8Array): BlockSnapshot {
  const { blockId, snapshots } = decodeMessage(blockSnapshotMessageType, bytes);
  if (blockId.length !== 32 && blockId.length !== 64) {
    const reason = `32 or 64 bytes expected, got ${blockId.length}`;
    throw new WireError({ field: "blockSnapshot.blockId", offset: 0, reason });
  }
  return { blockId: blockId as BlockId, snapshots };
}

export function encodeBlockSnapshot(snapshot: BlockSnapshot): Uint8Array {
  return encodeMessage(blockSnapshotMessageType, snapshot);
}

const lengthAndSnapshot = bytesWithLength(i32);

/**
 * Reads the record of a block in a snapshot file (see `BlockFileReader`): each change set behind its length.
 * @throws WireError
 */
export function parseSnapshotRecord(record: Uint8Array): readonly Uint8Array[] {
  const from = new ByteReader(record);
  const snapshots: Uint8Array[] = [];
  while (from.remaining > 0) {
    snapshots.push(readField(`snapshots[${snapshots.length}]`, () => lengthAndSnapshot.read(from)));
  }
  return snapshots;
}

/** @see parseSnapshotRecord */
export function encodeSnapshotRecord(snapshots: readonly Uint8Array[]): Uint8Array {
  const to = new ByteWriter();
  for (const snapshot of snapshots) lengthAndSnapshot.write(snapshot, to);
  return to.toBytes();
}

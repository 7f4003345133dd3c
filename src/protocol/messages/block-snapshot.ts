/**
 * Messages 36 and 37: state snapshots of all transactions of a block or micro-block, as light nodes request them.
 * @source docs/protocol/snapshots-and-state-hash.md 2; waves/state_snapshot.proto
 */
import type { BlockId } from "../blocks/block.ts";
import { decodeMessage, encodeMessage, message, repeated, scalar } from "../codec/protobuf.ts";
import { WireError } from "../errors.ts";

/**
 * State snapshots in the order of the transactions, still encoded: parsing one requires its transaction's id (see
 * `parseTransactionSnapshot`).
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

/** Parses the payload of messages 36 (block) and 37 (micro-block). @throws WireError */
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

/** Snapshots of a block or micro-block that a peer has sent. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import type { Peer } from "../peer.ts";

/**
 * Of a block. Those of a block of transfers have less than a megabyte. Nothing says that they are the block's before all are placed, and
 * placed they take more than twenty times as much: four megabytes are about all that an isolate has room for (`npm run bench -- light-memory`).
 */
export const MOST_SNAPSHOT_BYTES = 2 * 2 ** 20;

export interface SentSnapshots {
  /** As in a snapshot file; undefined: they are so large that the transactions are better run. */
  readonly record: Uint8Array | undefined;
  /** Who answers for them. */
  readonly from: Peer;
}

/**
 * What the peer has sent for so many transactions.
 * @returns undefined: not for so many, for which the peer is shut out
 */
export function sentSnapshots(
  from: Peer,
  { blockId, snapshots }: BlockSnapshot,
  transactions: number,
): SentSnapshots | undefined {
  if (snapshots.length === transactions) {
    const bytes = snapshots.reduce((sum, { length }) => sum + length, 0);
    return { record: bytes > MOST_SNAPSHOT_BYTES ? undefined : encodeSnapshotRecord(snapshots), from };
  }
  const counts = `${snapshots.length} snapshots for ${transactions} transactions`;
  from.blacklist(`Snapshot of block ${encodeBase58(blockId)} is invalid: ${counts}`);
  return undefined;
}

/** State snapshots of a block or micro-block from a peer. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import type { Peer } from "../peer.ts";

/**
 * Maximum size of the snapshots of a block. A block of transfers has less than a megabyte. Nothing proves that
 * snapshots belong to the block before all are applied, and applied they take more than twenty times as much memory:
 * four megabytes are about the most that an isolate has room for (`npm run bench -- light-memory`).
 */
export const MOST_SNAPSHOT_BYTES = 2 * 2 ** 20;

export interface SentSnapshots {
  /** Record of a snapshot file; undefined: too large, so that it is better to run the transactions. */
  readonly record: Uint8Array | undefined;
  /** Peer that is responsible for them. */
  readonly from: Peer;
}

/**
 * Checks the snapshots from a peer against the number of transactions.
 * @returns undefined: the number differs, and the peer is blacklisted
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

/** Snapshots of a block or micro-block that a peer has sent. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import type { Peer } from "../peer.ts";

export interface SentSnapshots {
  /** As in a snapshot file. */
  readonly record: Uint8Array;
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
  if (snapshots.length === transactions) return { record: encodeSnapshotRecord(snapshots), from };
  const counts = `${snapshots.length} snapshots for ${transactions} transactions`;
  from.blacklist(`Snapshot of block ${encodeBase58(blockId)} is invalid: ${counts}`);
  return undefined;
}

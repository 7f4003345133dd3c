/**
 * State snapshots of all transactions of a block, as in a snapshot file.
 * @source docs/protocol/snapshots-and-state-hash.md 2
 */
import { ByteReader, readField } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";
import { bytesWithLength, i32 } from "../codec/codec.ts";

const lengthAndSnapshot = bytesWithLength(i32);

/**
 * Parses the record of a block in a snapshot file (see `BlockFileReader`): each state snapshot after its length.
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

/** Inverse of `parseSnapshotRecord`. */
export function encodeSnapshotRecord(snapshots: readonly Uint8Array[]): Uint8Array {
  const to = new ByteWriter();
  for (const snapshot of snapshots) lengthAndSnapshot.write(snapshot, to);
  return to.toBytes();
}

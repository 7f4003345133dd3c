/** Writes the records of snapshot files, for tests of their reader. */
import { ByteWriter } from "../../../src/protocol/codec/byte-writer.ts";
import { bytesWithLength, i32 } from "../../../src/protocol/codec/codec.ts";

const lengthAndSnapshot = bytesWithLength(i32);

export function encodeSnapshotRecord(snapshots: readonly Uint8Array[]): Uint8Array {
  const to = new ByteWriter();
  for (const snapshot of snapshots) lengthAndSnapshot.write(snapshot, to);
  return to.toBytes();
}

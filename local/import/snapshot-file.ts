/** Reads a snapshot file in parallel with a block file: for each block a record with its transactions' snapshots. */
import { BlockFileReader, type BlockRecord, snapshotRecordSizes } from "../../src/protocol/blocks/block-file.ts";
import { WireError } from "../../src/protocol/errors.ts";
import { type BlockChunk, joinRecords, readRecords } from "./block-file.ts";

/** `WireError.field` of errors in a snapshot file. */
export const SNAPSHOT_FILE = "snapshotFile";

/**
 * Adds the snapshots to each chunk of blocks. Records after the last block are not read.
 * @throws WireError with the field SNAPSHOT_FILE, after the last block with a record, when there are fewer records
 */
export async function* withSnapshots(chunks: AsyncIterable<BlockChunk>, file: string): AsyncGenerator<BlockChunk> {
  const records = readRecords(file, { sizes: snapshotRecordSizes });
  let waiting: BlockRecord[] = [];
  let endOffset = 0;
  try {
    for await (const chunk of chunks) {
      const blocks = new BlockFileReader().push(chunk.bytes);
      let error: WireError | undefined;
      while (error === undefined && waiting.length < blocks.length) {
        const next = await nextRecords(records);
        if (next instanceof WireError) error = next;
        else waiting = waiting.concat(next);
      }
      const count = Math.min(blocks.length, waiting.length);
      if (count > 0) {
        const { bytes: snapshots, endOffset: end } = joinRecords(waiting.slice(0, count));
        endOffset = end;
        yield {
          ...(count === blocks.length ? chunk : { ...chunk, ...joinRecords(blocks.slice(0, count)) }),
          snapshots,
        };
      }
      if (error !== undefined) throw new WireError({ field: SNAPSHOT_FILE, offset: endOffset, reason: error.reason });
      waiting = waiting.slice(count);
    }
  } finally {
    await records.return(undefined);
  }
}

/** @returns an error when no records are left */
async function nextRecords(records: AsyncIterator<BlockRecord[]>): Promise<BlockRecord[] | WireError> {
  try {
    const { done, value } = await records.next();
    return done ? new WireError({ field: SNAPSHOT_FILE, offset: 0, reason: "the file ends there" }) : value;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

/** Reads block files in chunks: they may be larger than memory. */
import { open } from "node:fs/promises";
import { BlockFileReader, type BlockRecord, type RecordSizes } from "../../src/protocol/blocks/block-file.ts";

/** Small enough for a progress line a few times a second, large enough to hide the cost of a call. */
const CHUNK_BYTES = 256 * 1024;
/** Size of the length before each block. */
const LENGTH_BYTES = 4;

/** Whole records of a block file, encoded as in the file. */
export interface BlockChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset of the chunk's end in the file. */
  readonly endOffset: number;
  /** Records of a snapshot file, one for each block, if there is such a file. */
  readonly snapshots?: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a block file in chunks of whole records.
 * @param chunkBytes approximate size of a chunk, which has at least one record
 * @throws WireError after the last whole record, if anything but a whole record follows
 */
export async function* readBlockFile(file: string, chunkBytes: number = CHUNK_BYTES): AsyncGenerator<BlockChunk> {
  for await (const records of readRecords(file, { chunkBytes })) yield joinRecords(records);
}

/**
 * Reads a file of records in chunks.
 * @param options `sizes`: allowed sizes of records, by default those of blocks; `chunkBytes`: approximate size of a
 * chunk, which has at least one record
 * @throws WireError after the last whole record, if anything but a whole record follows
 */
export async function* readRecords(
  file: string,
  { sizes, chunkBytes = CHUNK_BYTES }: { readonly sizes?: RecordSizes; readonly chunkBytes?: number } = {},
): AsyncGenerator<BlockRecord[]> {
  const reader = new BlockFileReader(sizes);
  const handle = await open(file, "r");
  try {
    for (let offset = 0; ; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, offset);
      if (bytesRead === 0) break;
      offset += bytesRead;
      const records = reader.push(buffer.subarray(0, bytesRead));
      if (records.length > 0) yield records;
    }
    reader.end();
  } finally {
    await handle.close();
  }
}

/** Encodes records as in the file. */
export function joinRecords(records: readonly BlockRecord[]): BlockChunk {
  const sizeBytes = records.reduce((size, record) => size + LENGTH_BYTES + record.bytes.length, 0);
  const bytes = new Uint8Array(sizeBytes);
  const view = new DataView(bytes.buffer);
  let end = 0;
  for (const record of records) {
    view.setUint32(end, record.bytes.length);
    bytes.set(record.bytes, end + LENGTH_BYTES);
    end += LENGTH_BYTES + record.bytes.length;
  }
  return { bytes, endOffset: (records[0]?.offset ?? 0) + sizeBytes };
}

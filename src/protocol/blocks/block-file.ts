/**
 * Block files: consecutive records, each a length (4 bytes, big-endian) and a block.
 * @source Waves: Importer.scala, Exporter.scala
 */
import { concatBytes, i32Bytes } from "../../crypto/bytes.ts";
import { WireError } from "../errors.ts";

const lengthSizeBytes = 4;

/** Bounds of a file's record sizes, without the length prefix. */
export interface RecordSizes {
  readonly minBytes: number;
  readonly maxBytes: number;
}
/**
 * Upper bound of a block's size. Version 5 has 1 MiB of transactions and at most 40 kB around them. Before feature 3
 * limited the size, a block had up to 6,000 transactions, of which the largest (issue) have 1,150 bytes.
 */
export const blockRecordSizes: RecordSizes = { minBytes: 1, maxBytes: 8 * 1024 * 1024 };
/** A block without transactions has an empty record; a transaction's state snapshot is at most a few times its size. */
export const snapshotRecordSizes: RecordSizes = { minBytes: 0, maxBytes: 32 * 1024 * 1024 };

/** Bytes of a block (or of its state snapshots), and the offset of the record in the file. */
export interface BlockRecord {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** Splits a block file, received in chunks of any size, into its records. Buffers at most one unfinished record. */
export class BlockFileReader {
  readonly #sizes: RecordSizes;
  #chunks: Uint8Array[] = [];
  #bufferedBytes = 0;
  /** Size of the unfinished record, as far as it is known. */
  #recordBytes = lengthSizeBytes;
  /** Offset of the unfinished record in the file. */
  #offset = 0;

  constructor(sizes: RecordSizes = blockRecordSizes) {
    this.#sizes = sizes;
  }

  /**
   * Takes the next chunk of the file.
   * @returns the records that it completes; records inside one chunk are views into it
   * @throws WireError when a record's length is more than a block can have; the records before it are returned first,
   *   and the next call throws
   */
  push(chunk: Uint8Array): BlockRecord[] {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes < this.#recordBytes) return [];
    const buffered = this.#concatenated();
    const records: BlockRecord[] = [];
    let start = 0;
    let error: WireError | undefined;
    this.#recordBytes = lengthSizeBytes;
    while (buffered.length - start >= lengthSizeBytes) {
      const length = new DataView(buffered.buffer, buffered.byteOffset + start, lengthSizeBytes).getUint32(0);
      error = this.#lengthError(length);
      if (error !== undefined) break;
      const sizeBytes = lengthSizeBytes + length;
      if (buffered.length - start < sizeBytes) {
        this.#recordBytes = sizeBytes;
        break;
      }
      records.push({ bytes: buffered.subarray(start + lengthSizeBytes, start + sizeBytes), offset: this.#offset });
      start += sizeBytes;
      this.#offset += sizeBytes;
    }
    this.#bufferedBytes = buffered.length - start;
    this.#chunks = this.#bufferedBytes === 0 ? [] : [buffered.subarray(start)];
    if (error !== undefined && records.length === 0) throw error;
    return records;
  }

  /** Ends the file. @throws WireError when it ends inside a record, or the last length was refused */
  end(): void {
    if (this.#bufferedBytes === 0) return;
    if (this.#bufferedBytes >= this.#recordBytes) this.push(new Uint8Array(0));
    throw new WireError({
      field: "blockFile",
      offset: this.#offset,
      reason: `the file ends inside a record, after ${this.#bufferedBytes} of ${this.#recordBytes} bytes`,
    });
  }

  #concatenated(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const concatenated = new Uint8Array(this.#bufferedBytes);
    let offset = 0;
    for (const chunk of this.#chunks) {
      concatenated.set(chunk, offset);
      offset += chunk.length;
    }
    return concatenated;
  }

  #lengthError(length: number): WireError | undefined {
    const { minBytes, maxBytes } = this.#sizes;
    if (length >= minBytes && length <= maxBytes) return undefined;
    const reason = `a record of ${length} bytes; ${minBytes} to ${maxBytes} expected`;
    return new WireError({ field: "blockFile", offset: this.#offset, reason });
  }
}

/** Record of a block in a block file. */
export function encodeBlockRecord(bytes: Uint8Array): Uint8Array {
  return concatBytes(i32Bytes(bytes.length), bytes);
}

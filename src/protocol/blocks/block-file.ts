/**
 * Block files: one record after another, each a length (4 bytes, big-endian) and a block.
 * @source Waves: Importer.scala, Exporter.scala
 */
import { concatBytes, i32Bytes } from "../../crypto/bytes.ts";
import { WireError } from "../faults.ts";

const lengthSizeBytes = 4;

/** Which record sizes a file may have, without their lengths. */
export interface RecordSizes {
  readonly minBytes: number;
  readonly maxBytes: number;
}
/**
 * No block is larger: 1 MiB of transactions and at most 40 kB around them in version 5; before the size counted (feature
 * 3), 6,000 transactions, the largest of which (issue) have 1,150 bytes.
 */
export const blockRecordSizes: RecordSizes = { minBytes: 1, maxBytes: 8 * 1024 * 1024 };
/** A block without transactions has an empty record; a transaction's change set is at most a few times its size. */
export const snapshotRecordSizes: RecordSizes = { minBytes: 0, maxBytes: 32 * 1024 * 1024 };

/** A block's bytes (or its change sets'), and where the record begins in the file. */
export interface BlockRecord {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/**
 * Splits a block file that comes in pieces of any size into its records. Holds no more than one unfinished record.
 */
export class BlockFileReader {
  readonly #sizes: RecordSizes;
  #chunks: Uint8Array[] = [];
  #heldBytes = 0;
  /** Size of the unfinished record, as far as it is known. */
  #wantedBytes = lengthSizeBytes;
  /** Where the unfinished record begins in the file. */
  #offset = 0;

  constructor(sizes: RecordSizes = blockRecordSizes) {
    this.#sizes = sizes;
  }

  /**
   * Takes the next piece of the file.
   * @returns the records that it completes; they are views into the piece where they lie in one
   * @throws WireError when a record's length is more than a block can have; the records before it are returned first,
   *   and the next call throws
   */
  push(chunk: Uint8Array): BlockRecord[] {
    this.#chunks.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes < this.#wantedBytes) return [];
    const held = this.#joined();
    const records: BlockRecord[] = [];
    let start = 0;
    let fault: WireError | undefined;
    this.#wantedBytes = lengthSizeBytes;
    while (held.length - start >= lengthSizeBytes) {
      const length = new DataView(held.buffer, held.byteOffset + start, lengthSizeBytes).getUint32(0);
      fault = this.#lengthFault(length);
      if (fault !== undefined) break;
      const sizeBytes = lengthSizeBytes + length;
      if (held.length - start < sizeBytes) {
        this.#wantedBytes = sizeBytes;
        break;
      }
      records.push({ bytes: held.subarray(start + lengthSizeBytes, start + sizeBytes), offset: this.#offset });
      start += sizeBytes;
      this.#offset += sizeBytes;
    }
    this.#heldBytes = held.length - start;
    this.#chunks = this.#heldBytes === 0 ? [] : [held.subarray(start)];
    if (fault !== undefined && records.length === 0) throw fault;
    return records;
  }

  /** Says that the file ends here. @throws WireError when it ends inside a record, or the last length was refused */
  end(): void {
    if (this.#heldBytes === 0) return;
    if (this.#heldBytes >= this.#wantedBytes) this.push(new Uint8Array(0));
    throw new WireError({
      field: "blockFile",
      offset: this.#offset,
      reason: `the file ends inside a record, after ${this.#heldBytes} of ${this.#wantedBytes} bytes`,
    });
  }

  #joined(): Uint8Array {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const joined = new Uint8Array(this.#heldBytes);
    let offset = 0;
    for (const chunk of this.#chunks) {
      joined.set(chunk, offset);
      offset += chunk.length;
    }
    return joined;
  }

  #lengthFault(length: number): WireError | undefined {
    const { minBytes, maxBytes } = this.#sizes;
    if (length >= minBytes && length <= maxBytes) return undefined;
    const reason = `a record of ${length} bytes; ${minBytes} to ${maxBytes} expected`;
    return new WireError({ field: "blockFile", offset: this.#offset, reason });
  }
}

/** The block's record in a block file. */
export function encodeBlockRecord(bytes: Uint8Array): Uint8Array {
  return concatBytes(i32Bytes(bytes.length), bytes);
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { BlockFileReader, encodeBlockRecord, snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { WireError } from "../../../src/protocol/errors.ts";

const block = (sizeBytes: number) => Uint8Array.from({ length: sizeBytes }, (_, index) => index);

/** Rest of a file after its first complete blocks. */
function readAll(chunks: readonly Uint8Array[]) {
  const reader = new BlockFileReader();
  const records: { bytes: Uint8Array; offset: number }[] = [];
  try {
    for (const chunk of chunks) records.push(...reader.push(chunk));
    reader.end();
    return { records, error: undefined };
  } catch (error) {
    return { records, error };
  }
}

describe("BlockFileReader", () => {
  test("gives the same records however the file is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }),
        fc.array(fc.nat(20), { minLength: 1, maxLength: 12 }),
        (sizes, cuts) => {
          const file = concatBytes(...sizes.map((size) => encodeBlockRecord(block(size))));
          const chunks: Uint8Array[] = [];
          for (let start = 0, index = 0; start < file.length; index++) {
            const end = start + (cuts[index % cuts.length] ?? 0) + (index % cuts.length === 0 ? 1 : 0);
            chunks.push(file.subarray(start, end));
            start = end;
          }
          const { records, error } = readAll(chunks);
          expect(error).toBeUndefined();
          expect(records.map(({ bytes }) => bytes)).toEqual(sizes.map(block));
          let offset = 0;
          for (const { bytes, offset: got } of records) {
            expect(got).toBe(offset);
            offset += 4 + bytes.length;
          }
        },
      ),
    );
  });

  test.each([1, 4, 5, 13])("says where a file was cut off (%i bytes of the second record)", (sizeBytes) => {
    const file = concatBytes(encodeBlockRecord(block(6)), encodeBlockRecord(block(10)).subarray(0, sizeBytes));
    const { records, error } = readAll([file]);
    expect(records).toHaveLength(1);
    expect(error).toBeInstanceOf(WireError);
    expect(error).toMatchObject({ offset: 10, reason: expect.stringContaining(`after ${sizeBytes} of`) });
  });

  test.each([
    ["0", Uint8Array.of(0, 0, 0, 0)],
    ["more than any block has", Uint8Array.of(0x7f, 0, 0, 0)],
    ["more than any block has, with the top bit", Uint8Array.of(0xff, 0xff, 0xff, 0xff)],
  ])("refuses a length of %s, after the blocks before it", (_, length) => {
    const file = concatBytes(encodeBlockRecord(block(6)), length, block(100));
    for (const chunks of [[file], [file.subarray(0, 12), file.subarray(12)]]) {
      const { records, error } = readAll(chunks);
      expect(records).toHaveLength(1);
      expect(error).toBeInstanceOf(WireError);
      expect(error).toMatchObject({ offset: 10, reason: expect.stringContaining("a record of") });
    }
  });

  test("reads empty records where they may be", () => {
    const reader = new BlockFileReader(snapshotRecordSizes);
    expect(reader.push(new Uint8Array(8))).toHaveLength(2);
    reader.end();
  });

  test("a block in a hundred thousand pieces is one block", () => {
    const record = encodeBlockRecord(block(100_000));
    const { records, error } = readAll(Array.from(record, (byte) => Uint8Array.of(byte)));
    expect(error).toBeUndefined();
    expect(records.map(({ bytes }) => bytes.length)).toEqual([100_000]);
  });
});

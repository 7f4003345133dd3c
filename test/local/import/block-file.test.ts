import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readBlockFile } from "../../../local/import/block-file.ts";
import { WireError } from "../../../src/protocol/errors.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "block-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

function withLength(block: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(block.length);
  return Buffer.concat([length, block]);
}

/** Chunks read from a file with these bytes, and the error message at its end. */
async function read(
  bytes: Uint8Array,
  chunkBytes: number,
): Promise<{ chunks: Uint8Array[]; error: string | undefined }> {
  const file = path.join(folder, "blocks.bin");
  writeFileSync(file, bytes);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readBlockFile(file, chunkBytes)) chunks.push(chunk.bytes);
    return { chunks, error: undefined };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { chunks, error: error.message };
  }
}

function splitBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 4 + bytes.readUInt32BE(offset);
    expect(end).toBeLessThanOrEqual(bytes.length);
    blocks.push(bytes.subarray(offset, end));
    offset = end;
  }
  return blocks;
}

const blocks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 20 });
const chunkSize = fc.integer({ min: 1, max: 100 });

describe("readBlockFile", () => {
  it("gives all blocks, in pieces that hold whole blocks only", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, chunkSize, async (list, chunkBytes) => {
        const bytes = Buffer.concat(list.map(withLength));
        const { chunks, error } = await read(bytes, chunkBytes);
        expect(error).toBeUndefined();
        for (const chunk of chunks) expect(splitBlocks(Buffer.from(chunk)).length).toBeGreaterThan(0);
        expect(Buffer.concat(chunks)).toEqual(bytes);
      }),
      { numRuns: 60 },
    );
  });

  it("gives the whole blocks of a file that is cut off, then says where it ends", async () => {
    await fc.assert(
      fc.asyncProperty(blocks, chunkSize, fc.nat(), async (list, chunkBytes, cut) => {
        const bytes = Buffer.concat(list.map(withLength));
        const length = 1 + (cut % (bytes.length - 1));
        const { chunks, error } = await read(bytes.subarray(0, length), chunkBytes);
        const whole = Buffer.concat(chunks);
        const isCutWithinBlock = whole.length < length;
        expect(whole).toEqual(bytes.subarray(0, whole.length));
        expect(error !== undefined).toBe(isCutWithinBlock);
        if (isCutWithinBlock) expect(error).toContain(`at byte ${whole.length}: the file ends inside`);
      }),
      { numRuns: 60 },
    );
  });

  it("gives nothing for an empty file", async () => {
    expect(await read(Buffer.alloc(0), 10)).toEqual({ chunks: [], error: undefined });
  });

  it.each([
    [0, "blockFile at byte 7: a record of 0 bytes; 1 to 8388608 expected"],
    [0xffffffff, "blockFile at byte 7: a record of 4294967295 bytes; 1 to 8388608 expected"],
  ])("stops at a block length of %d", async (length, error) => {
    const bytes = Buffer.concat([withLength(Buffer.from("abc")), Buffer.alloc(4), Buffer.from("rest")]);
    bytes.writeUInt32BE(length, 7);
    expect(await read(bytes, 1000)).toEqual({ chunks: [Uint8Array.from(withLength(Buffer.from("abc")))], error });
  });
});

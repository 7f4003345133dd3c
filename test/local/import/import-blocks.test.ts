import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { checkImportFile, importBlocks } from "../../../local/import/import-blocks.ts";
import { progressLine } from "../../../local/import/progress.ts";
import type { ChainOperator, ImportOptions } from "../../../local/runtime/chain-operator.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "import-blocks-"));
const file = path.join(folder, "blocks.bin");
afterAll(() => rmSync(folder, { recursive: true }));

/** Chain that accepts any block except one that reads "bad". */
class PatientChain implements ChainOperator {
  readonly checkpoint = () => Promise.reject(new Error("no checkpoints in this test"));
  readonly blocks: string[] = [];
  position = 0;
  isFinished = false;

  async wake() {
    return { wasOverdue: false };
  }

  async status() {
    return { height: 1 + this.blocks.length };
  }

  async importBlocks(bytes: Uint8Array, { toHeight = Number.POSITIVE_INFINITY }: ImportOptions = {}) {
    const source = Buffer.from(bytes);
    let applied = 0;
    for (let offset = 0; offset < source.length && 1 + this.blocks.length < toHeight; ) {
      const end = offset + 4 + source.readUInt32BE(offset);
      const block = source.toString("utf8", offset + 4, end);
      offset = end;
      if (block === "bad") {
        const error = `height ${2 + this.blocks.length}: bad block`;
        return { height: 1 + this.blocks.length, applied, fault: error };
      }
      if (this.position++ < this.blocks.length) continue;
      this.blocks.push(block);
      applied += 1;
    }
    return { height: 1 + this.blocks.length, applied };
  }

  async finishImport() {
    this.isFinished = true;
    this.position = 0;
  }

  async start() {}

  async migrate() {}
}

function writeBlocks(blocks: readonly string[], rest = ""): void {
  const chunks = blocks.map((block) => {
    const bytes = Buffer.alloc(4 + block.length, `0000${block}`);
    bytes.writeUInt32BE(block.length);
    return bytes;
  });
  writeFileSync(file, Buffer.concat([...chunks, Buffer.from(rest)]));
}

const many = Array.from({ length: 30_000 }, (_, index) => `block number ${index}`);
const silent = () => {};
const chainId = 87;

describe("importBlocks", () => {
  let chain: PatientChain;
  beforeEach(() => {
    chain = new PatientChain();
  });

  it("applies every block of a file, and tells how far it is", async () => {
    writeBlocks(many);
    const shares: number[] = [];
    const result = await importBlocks(chain, { file, report: ({ share }) => shares.push(share), chainId });
    expect(result).toMatchObject({ height: 30_001, applied: 30_000, error: undefined });
    expect(chain.blocks).toEqual(many);
    expect(chain.isFinished).toBe(true);
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual(shares.toSorted((left, right) => left - right));
    expect(shares.at(-1)).toBe(1);
  });

  it("stops at the height it was given", async () => {
    writeBlocks(many);
    const result = await importBlocks(chain, { file, toHeight: 1000, report: silent, chainId });
    expect(result).toMatchObject({ height: 1000, applied: 999, error: undefined });
  });

  it("goes on from where the state stands", async () => {
    writeBlocks(many);
    await importBlocks(chain, { file, toHeight: 20_000, report: silent, chainId });
    const result = await importBlocks(chain, { file, report: silent, chainId });
    expect(result).toMatchObject({ height: 30_001, applied: 10_001, error: undefined });
    expect(chain.blocks).toEqual(many);
  });

  it("keeps what was applied before a refused block, and passes its sentence on", async () => {
    writeBlocks(["one", "two", "bad", "four"]);
    const result = await importBlocks(chain, { file, report: silent, chainId });
    expect(result).toMatchObject({ height: 3, applied: 2, error: "height 4: bad block" });
    expect(chain.isFinished).toBe(true);
  });

  it("names the height at which a file is cut off", async () => {
    writeBlocks(["one", "two"], "\0\0\0\x09thr");
    const result = await importBlocks(chain, { file, report: silent, chainId });
    expect(result).toMatchObject({ height: 3, applied: 2 });
    expect(result.error).toBe(
      `no whole block for height 4 in ${file}, at byte 14: the file ends inside a record, after 7 of 13 bytes`,
    );
  });

  it("refuses an empty file, with the height that it could not pass", async () => {
    writeBlocks([]);
    const refusal = new UsageError(`--import ${file}: the file is empty, nothing follows height 1.`);
    await expect(importBlocks(chain, { file, report: silent, chainId })).rejects.toThrow(refusal);
  });
});

describe("checkImportFile", () => {
  it("refuses what is not there, and what is no file", async () => {
    const missing = path.join(folder, "missing.bin");
    await expect(checkImportFile("import", missing)).rejects.toThrow(
      new UsageError(`--import ${missing}: there is no such file.`),
    );
    await expect(checkImportFile("import", folder)).rejects.toThrow(
      new UsageError(`--import ${folder}: this is not a file.`),
    );
  });
});

describe("progressLine", () => {
  it.each([
    [{ height: 2_501, applied: 2_500, elapsedMs: 500, share: 0.5 }, "height 2501, 5000 blocks/s, 1 s left"],
    [{ height: 11, applied: 10, elapsedMs: 10_000, share: 0.01 }, "height 11, 1 blocks/s, 17 min left"],
    [{ height: 101, applied: 100, elapsedMs: 100_000, share: 0.001 }, "height 101, 1 blocks/s, 27 h 45 min left"],
  ])("reads %j", (progress, line) => {
    expect(progressLine(progress)).toBe(line);
  });
});

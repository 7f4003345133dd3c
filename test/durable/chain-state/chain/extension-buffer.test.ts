import { beforeEach, describe, expect, test } from "vitest";
import { ExtensionBuffer } from "../../../../durable/chain-state/chain/extension-buffer.ts";
import type { ReceivedChunk } from "../../../../durable/chain-state/chain/received-branch.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { type TestDatabase, testDatabase } from "../../../../verification/sqlite/test-database.ts";

const random = new SeededRandom("parts");
const megabyte = 1024 * 1024;
const part = (sizeBytes: number, verified: string): ReceivedChunk => ({ blocks: random.bytes(sizeBytes), verified });
const large = [
  part(3 * megabyte, "01"),
  part(2 * megabyte, ""),
  part(0, "02"),
  part(5 * megabyte, "03"),
  part(10, "04"),
];

describe("chunks of an extension", () => {
  let database: TestDatabase;
  let held: ExtensionBuffer;
  const isOnDisk = () =>
    database.database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'held_part'").get() !== undefined;

  beforeEach(() => {
    database = testDatabase();
    held = new ExtensionBuffer(database);
  });

  test("that are small stay in memory", () => {
    const small = [part(10, "01"), part(20, "02")];
    for (const one of small) held.add(one);
    expect([...held.all()]).toEqual(small);
    expect(held.bytes).toBe(30);
    expect(isOnDisk()).toBe(false);
  });

  test("are read in their order from disk and memory, any number of times", () => {
    for (const one of large) held.add(one);
    expect(isOnDisk()).toBe(true);
    for (let turn = 0; turn < 2; turn++) {
      const all = [...held.all()];
      expect(all.map(({ verified }) => verified)).toEqual(large.map(({ verified }) => verified));
      for (const [index, { blocks }] of all.entries())
        expect(Buffer.compare(blocks, (large[index] as ReceivedChunk).blocks)).toBe(0);
    }
    expect(held.bytes).toBe(10 * megabyte + 10);
  });

  test("leave nothing behind once they are released", () => {
    for (const one of large) held.add(one);
    held.clear();
    expect(isOnDisk()).toBe(false);
    expect([...held.all()]).toEqual([]);
    expect(held.bytes).toBe(0);
    const next = part(5, "05");
    held.add(next);
    expect([...held.all()]).toEqual([next]);
  });

  test("replace chunks that were on the disk after a reset of the object", () => {
    for (const one of large) held.add(one);
    const again = new ExtensionBuffer(database);
    expect([...again.all()]).toEqual([]);
    for (const one of large.slice(1, 4)) again.add(one);
    expect([...again.all()].map(({ verified }) => verified)).toEqual(["", "02", "03"]);
  });
});

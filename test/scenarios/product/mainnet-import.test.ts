/** First 5,000 blocks of mainnet, if they are next to the project. They belong to others and are never copied. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { base58 } from "@scure/base";
import { afterAll, describe, expect, test } from "vitest";
import { projectRoot, readyNode, startNode } from "../../../verification/local-node.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";

const folder = path.join(projectRoot, "../shared/fixtures/mainnet");
const blockFile = path.join(folder, "blocks-2-5000.bin");
const isHere = existsSync(blockFile);
if (!isHere) console.warn("skipped: ../shared/fixtures/mainnet is not here, and mainnet's blocks are not copied");

/** Offset of each record of the block file, and its whole size in bytes. */
function records(file: Uint8Array): { readonly offset: number; readonly size: number }[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found = [];
  for (let offset = 0; offset < file.length; ) {
    const size = 4 + view.getUint32(offset);
    found.push({ offset, size });
    offset += size;
  }
  return found;
}

describe.skipIf(!isHere)("mainnet's first blocks", () => {
  const data = temporaryFolder();
  const state = path.join(data.path, "state");
  const run = (file: string, ...flags: string[]) =>
    startNode(["--network", "mainnet", "--data", state, "--import", file, "--no-mining", ...flags]);
  afterAll(() => data.remove());

  test.each([31, 901, 1001])("every balance after block %i is the recorded one", async (height) => {
    const node = await (await run(blockFile, "--to-height", String(height))).ready();
    expect(await getJson(`${node.url}/blocks/height`)).toEqual({ height });
    const text = readFileSync(path.join(folder, `accounts-${height}`), "utf8");
    const expected = new Map(
      [...text.matchAll(/"(\w+)"\s*:\s*(\d+)/g)].map(([, address, balance]) => [address, balance]),
    );
    expect(expected.size).toBeGreaterThan(0);
    const found = new Map<string | undefined, string | undefined>();
    const addresses = [...expected.keys()];
    for (let from = 0; from < addresses.length; from += 1000) {
      const response = await fetch(`${node.url}/addresses/balance`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ addresses: addresses.slice(from, from + 1000) }),
      });
      for (const [, id, balance] of (await response.text()).matchAll(/"id":"(\w+)","balance":(\d+)/g))
        found.set(id, balance);
    }
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(await node.stop()).toBe(0);
  });

  describe("a damaged file", () => {
    const file = isHere ? readFileSync(blockFile) : new Uint8Array();
    const blocks = records(file);
    // Position of block `height` in the file, which begins with block 2.
    const at = (height: number) => blocks[height - 2] ?? { offset: 0, size: 0 };
    const damaged = path.join(data.path, "damaged.bin");
    const whole = (height: number) => file.subarray(at(height).offset, at(height).offset + at(height).size);
    const upTo = (height: number) => file.subarray(0, at(height).offset);
    const from = (height: number) => file.subarray(at(height).offset);
    const flipped = (height: number, offset: number) => {
      const copy = Uint8Array.from(file);
      const index = at(height).offset + offset;
      copy[index] = (copy[index] as number) ^ 0x10;
      return copy;
    };
    const join = (...parts: Uint8Array[]) => Buffer.concat(parts);

    test.each([
      ["a flipped byte in the timestamp of block 1100", () => flipped(1100, 8), 1099],
      ["a flipped byte in the generator of block 1105", () => flipped(1105, at(1105).size - 80), 1104],
      ["a flipped byte in the signature of block 1110", () => flipped(1110, at(1110).size - 3), 1109],
      ["block 1120 missing", () => join(upTo(1120), from(1121)), 1119],
      ["blocks 1130 and 1131 in the wrong order", () => join(upTo(1130), whole(1131), whole(1130), from(1132)), 1129],
      ["the end cut off inside block 1140", () => file.subarray(0, at(1140).offset + 100), 1139],
      ["a flipped byte in the length of block 1150", () => flipped(1150, 0), 1149],
    ])("%s stops the import there, and keeps the blocks before", async (_, make, height) => {
      writeFileSync(damaged, make());
      const started = await run(damaged);
      expect(await started.exited).toBe(1);
      expect(started.output()).toMatch(new RegExp(`height ${height + 1}\\b`));
      expect(started.output()).not.toMatch(/\n {4}at /);
      const node = await readyNode(["--network", "mainnet", "--data", state, "--no-mining"]);
      expect(await getJson(`${node.url}/blocks/height`)).toEqual({ height });
      await node.stop();
    });

    test("the good file then goes on from there to its end, with the real block ids", async () => {
      const node = await (await run(blockFile)).ready();
      const last = await getJson<{ height: number; signature: string }>(`${node.url}/blocks/headers/last`);
      expect(last.height).toBe(5000);
      expect(last.signature).toBe(base58.encode(whole(5000).subarray(-64)));
      const middle = await getJson<{ signature: string }>(`${node.url}/blocks/headers/at/2500`);
      expect(middle.signature).toBe(base58.encode(whole(2500).subarray(-64)));
      expect(await node.stop()).toBe(0);
    });
  });
});

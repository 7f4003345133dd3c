/**
 * Checkpoint of mainnet's first blocks, if they are next to the project: the node has the same state as by the blocks.
 * They belong to others and are never copied.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalNode, projectRoot, readyNode, startNode } from "../../../verification/local-node.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";
import { readModelDifferences } from "../../support/fixtures/stored-state.ts";

const blockFile = path.join(projectRoot, "../shared/fixtures/mainnet/blocks-2-5000.bin");
const isHere = existsSync(blockFile);
if (!isHere) console.warn("skipped: ../shared/fixtures/mainnet is not here, and mainnet's blocks are not copied");

describe.skipIf(!isHere)("a checkpoint of mainnet's block 3000", () => {
  const folder = temporaryFolder();
  const file = path.join(folder.path, "mainnet.checkpoint");
  const mainnet = ["--network", "mainnet", "--no-mining", "--peers", "none"];
  let written: string;
  afterAll(() => folder.remove());

  beforeAll(async () => {
    const to = ["--import", blockFile, "--to-height", "3000", "--export-checkpoint", file];
    const node = await startNode([...mainnet, "--memory", ...to]);
    expect(await node.exited).toBe(0);
    written = node.output();
  });

  const digest = () => /digest ([0-9a-f]{64})/.exec(written)?.[1] ?? "none";
  const last = (node: LocalNode) => getJson(`${node.url}/blocks/headers/last`);

  test("is written with its height and its digest", () => {
    expect(written).toMatch(
      /wrote the checkpoint of height 3000, blocks from 1 on: \d+ rows, \d+ bytes, digest [0-9a-f]{64}, state [0-9a-f]{64}\n/,
    );
  });

  test("goes on with the following blocks to the same blocks and balances", async () => {
    const data = path.join(folder.path, "begun");
    const from = ["--checkpoint", file, "--checkpoint-digest", digest()];
    const node = await readyNode([...mainnet, "--data", data, ...from, "--import", blockFile]);
    const other = await readyNode([...mainnet, "--memory", "--import", blockFile]);
    expect(await getJson(`${node.url}/blocks/height`)).toEqual({ height: 5000 });
    expect(await last(node)).toEqual(await last(other));
    for (const path of ["/debug/stateWaves/4999", "/blocks/at/4000", "/blocks/at/2", "/blockchain/rewards"]) {
      const responses = [node, other].map(async ({ url }) => (await fetch(`${url}${path}`)).text());
      expect(await responses[0], path).toBe(await responses[1]);
    }
    expect(await other.stop()).toBe(0);
    expect(await node.stop()).toBe(0);
    expect(readModelDifferences(data)).toEqual([]);
    // The same flags again: the state was started from it.
    const again = await readyNode([...mainnet, "--data", data, "--checkpoint", file]);
    expect(await getJson(`${again.url}/blocks/height`)).toEqual({ height: 5000 });
    expect(await again.stop()).toBe(0);
  });

  test("has only the last blocks if its owner wants that, and of such a node those that it has", async () => {
    const recent = path.join(folder.path, "recent.checkpoint");
    const writing = ["--checkpoint", file, "--export-checkpoint", recent, "--checkpoint-past", "none"];
    const writer = await startNode([...mainnet, "--memory", ...writing]);
    expect(await writer.exited).toBe(0);
    expect(writer.output()).toContain("wrote the checkpoint of height 3000, blocks from 1001 on:");
    const node = await readyNode([...mainnet, "--memory", "--checkpoint", recent, "--import", blockFile]);
    expect(await getJson(`${node.url}/blocks/height`)).toEqual({ height: 5000 });
    expect(await (await fetch(`${node.url}/blocks/at/1000`)).text()).toContain("the first one that this node has");
    expect(await node.stop()).toBe(0);
    const again = ["--checkpoint", recent, "--export-checkpoint", path.join(folder.path, "again.checkpoint")];
    const other = await startNode([...mainnet, "--memory", ...again]);
    expect(await other.exited).toBe(0);
    expect(other.output()).toContain("wrote the checkpoint of height 3000, blocks from 1001 on:");
  });

  test("with one changed byte it is refused with a message, and the state waits for the whole file", async () => {
    const damaged = path.join(folder.path, "damaged");
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] as number) ^ 1;
    writeFileSync(damaged, bytes);
    const data = path.join(folder.path, "waiting");
    const node = await startNode([...mainnet, "--data", data, "--checkpoint", damaged]);
    expect(await node.exited).toBe(2);
    expect(node.output()).toMatch(/part \d+ of the checkpoint \(table \w+\) is damaged: it is not as it was written\./);
    expect(node.output()).not.toMatch(/\n {4}at /);
    const without = await startNode([...mainnet, "--data", data]);
    expect(await without.exited).toBe(2);
    expect(without.output()).toContain("a checkpoint that is not whole");
    const whole = await readyNode([...mainnet, "--data", data, "--checkpoint", file]);
    expect(await getJson(`${whole.url}/blocks/height`)).toEqual({ height: 3000 });
    expect(await whole.stop()).toBe(0);
  });

  test("is accepted neither instead of another one, nor by another network", async () => {
    const expected = ["--checkpoint", file, "--checkpoint-digest", "0".repeat(64)];
    const other = await startNode([...mainnet, "--memory", ...expected]);
    expect(await other.exited).toBe(2);
    expect(other.output()).toContain(`the checkpoint has the digest ${digest()}`);
    const testnet = await startNode(["--network", "testnet", "--memory", "--checkpoint", file]);
    expect(await testnet.exited).toBe(2);
    expect(testnet.output()).toContain("the checkpoint is of another chain");
  });
});

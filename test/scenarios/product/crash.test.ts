/**
 * SIGKILL at random instants of an import and of forging: the next start goes on, no block is lost or half applied, and
 * the read model equals ChainState.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { transfer } from "@waves/waves-transactions";
import { afterAll, describe, expect, test } from "vitest";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { readyNode, startNode } from "../../../verification/local-node.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";
import { fastNetworkFile, getJson, temporaryFolder } from "../../support/builders/started-node.ts";
import { brokenInvariants, readModelDifferences } from "../../support/fixtures/stored-state.ts";
import { testTimeouts } from "../../support/fixtures/timeouts.ts";

/** More instants: `CRASH_INSTANTS=100 npx vitest run test/scenarios/product/crash.test.ts`. */
const INSTANTS = Number(process.env["CRASH_INSTANTS"] ?? 10);
const chainId = 82;
const seed = "waves private node seed with waves tokens";
const folder = temporaryFolder();
afterAll(() => folder.remove());

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const random = new SeededRandom("crash");
/** Random time up to `mostMs`, each instant's from an interval of its own. */
const drawnMs = (instant: number, mostMs: number): number =>
  ((instant + random.below(1_000) / 1_000) / INSTANTS) * mostMs;

/** Blocks of the private network that a node forged in 2020, with transfers in micro-blocks. */
function forgedBlocks(file: string, height: number): string[] {
  const node = new SimulatedNode({ startMs: 1_600_000_000_000 });
  for (let count = 0; node.chain.view.height < height; count++) {
    if (count % 2 === 0) node.broadcast(signedTransfer({ amount: BigInt(count + 1), timestamp: BigInt(node.nowMs) }));
    node.step();
  }
  const ids: string[] = [];
  const records: Uint8Array[] = [];
  for (let at = 2; at <= height; at++) {
    const block = node.chain.stored.findBlock(at);
    if (block === undefined) throw new Error(`no block at height ${at}`);
    ids.push(Buffer.from(block.id).toString("hex"));
    records.push(encodeBlockRecord(encodeBlock(block, chainId)));
  }
  writeFileSync(file, Buffer.concat(records));
  return ids;
}

describe("SIGKILL during an import", () => {
  const data = path.join(folder.path, "import");
  const file = path.join(folder.path, "blocks.bin");
  const height = 400;
  const flags = ["--network", "private", "--data", data, "--no-mining"];

  test(`at ${INSTANTS} instants loses nothing`, { timeout: INSTANTS * testTimeouts.testTimeout }, async () => {
    forgedBlocks(file, height);
    let reached = 1;
    for (let instant = 0; instant < INSTANTS; instant++) {
      const started = await startNode([...flags, "--import", file]);
      // Start-up takes about a second; the import of these blocks about two more.
      await Promise.race([wait(300 + drawnMs(instant, 2_500)), started.ready().catch(() => undefined)]);
      started.process.kill("SIGKILL");
      await started.exited;
      const node = await readyNode(flags);
      const { height: now } = await getJson<{ height: number }>(`${node.url}/blocks/height`);
      expect(now).toBeGreaterThanOrEqual(reached);
      reached = now;
      expect(await node.stop()).toBe(0);
      expect(brokenInvariants(data)).toEqual([]);
      expect(readModelDifferences(data)).toEqual([]);
    }
    const node = await readyNode([...flags, "--import", file]);
    expect(await getJson(`${node.url}/blocks/height`)).toEqual({ height });
    await node.stop();
    expect(brokenInvariants(data)).toEqual([]);
    expect(readModelDifferences(data)).toEqual([]);
  });
});

describe("SIGKILL during forging", () => {
  const data = path.join(folder.path, "forging");
  const flags = ["--network", fastNetworkFile(folder.path, { blockMs: 300, microBlockMs: 150 }), "--data", data];

  test(`at ${INSTANTS} instants loses no block and no transaction`, {
    timeout: INSTANTS * testTimeouts.testTimeout,
  }, async () => {
    const confirmed = new Map<string, number>();
    const accepted = new Set<string>();
    const ids = new Map<number, string>();
    for (let instant = 0; instant < INSTANTS; instant++) {
      const node = await readyNode(flags);
      for (const [height, id] of ids)
        expect((await getJson<{ id: string }>(`${node.url}/blocks/headers/at/${height}`)).id).toBe(id);
      for (const [id, height] of confirmed)
        expect(await getJson(`${node.url}/transactions/status/${id}`)).toMatchObject({ status: "confirmed", height });
      const until = Date.now() + 200 + drawnMs(instant, 2_500);
      while (Date.now() < until) {
        const tx = transfer(
          { recipient: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", amount: 1, chainId, fee: 100_000 },
          seed,
        );
        const response = await fetch(`${node.url}/transactions/broadcast`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(tx),
        });
        expect(response.status).toBe(200);
        accepted.add(tx.id);
        await wait(random.below(200));
      }
      const { height } = await getJson<{ height: number }>(`${node.url}/blocks/height`);
      // Only the transactions of the tip are settled: a micro-block changes its id.
      for (let at = Math.max(2, height - 3); at < height; at++)
        ids.set(at, (await getJson<{ id: string }>(`${node.url}/blocks/headers/at/${at}`)).id);
      for (const id of accepted) {
        const status = await getJson<{ status: string; height: number }>(`${node.url}/transactions/status/${id}`);
        expect(status.status).not.toBe("not_found");
        if (status.status === "confirmed" && status.height < height) {
          confirmed.set(id, status.height);
          accepted.delete(id);
        }
      }
      await wait(random.below(300));
      await node.kill();
      expect(brokenInvariants(data)).toEqual([]);
    }
    expect(confirmed.size).toBeGreaterThan(0);
    const node = await readyNode([...flags, "--no-mining"]);
    for (const id of accepted)
      expect((await getJson<{ status: string }>(`${node.url}/transactions/status/${id}`)).status).not.toBe("not_found");
    await node.stop();
    expect(readModelDifferences(data)).toEqual([]);
  });
});

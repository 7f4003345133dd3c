/**
 * Final blocks are in KV before any request for them: each once, after any failure, and never those of the distant
 * past.
 */
import { afterEach, expect, test, vi } from "vitest";
import { BATCH_BLOCKS } from "../../../../durable/chain-state/publish/final-block-writer.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { encodeBlockRecord } from "../../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { writeFinalBlocks } from "../../../../src/routes/blocks/final-blocks.ts";
import { maxForkDepth } from "../../../../src/rules/finality/finalized-height.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../../verification/sqlite/d1-double.ts";
import type { TestDatabase } from "../../../../verification/sqlite/test-database.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";
import { testNode } from "../../../support/builders/test-node.ts";
import { UnreliableReadModel } from "../../../support/fakes/unreliable-read-model.ts";

const startMs = 1_700_000_000_000;
/** Height at which the first blocks are written. */
const firstWrite = maxForkDepth + BATCH_BLOCKS;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const network = "private";

/** KV that records its writes. */
class Store {
  readonly stored = new Map<string, string>();
  readonly puts: string[] = [];
  isDown = false;

  async put(key: string, text: string): Promise<void> {
    this.puts.push(key);
    await settled();
    if (this.isDown) throw new Error("KV does not answer");
    this.stored.set(key, text);
  }

  heights(epoch: number): number[] {
    const ofEpoch = [...this.stored.keys()].filter((key) => key.includes(`/${epoch}/block/height/`));
    return ofEpoch.map((key) => Number(key.split("/").at(-1)));
  }
}

function upTo(height: number): number[] {
  return Array.from({ length: height }, (_, index) => index + 1);
}

class World {
  readonly readModel = new UnreliableReadModel();
  readonly store = new Store();
  node: SimulatedNode;
  #sent = 0n;

  constructor() {
    this.node = this.start(startMs);
  }

  start(nowMs: number, database?: TestDatabase): SimulatedNode {
    const options = { settings: privateNetwork, database: d1Double(this.readModel.sqlite).d1, store: this.store };
    this.node = new SimulatedNode({
      startMs: nowMs,
      ...(database && { database }),
      readModel: this.readModel,
      finalBlocks: { write: (range, chain) => writeFinalBlocks(range, chain, options as never) },
    });
    return this.node;
  }

  /** With a transfer in each of the first blocks, and published from the height where the first one becomes final. */
  async mineTo(height: number): Promise<void> {
    while (this.node.height < height) {
      if (this.node.height < BATCH_BLOCKS) {
        this.#sent++;
        this.node.broadcast(signedTransfer({ timestamp: BigInt(this.node.nowMs), amount: this.#sent }));
      }
      this.node.step();
      if (this.node.height > maxForkDepth) await this.publish();
    }
  }

  async publish(): Promise<void> {
    await this.node.node.publish();
    // The writing goes on in parallel.
    for (let round = 0; round < 10; round++) await settled();
  }

  /** Worker with an empty cache. @param reads called for each batch to D1 */
  reader(reads: () => void = () => {}) {
    const { d1 } = d1Double(this.readModel.sqlite);
    const batch = (statements: D1PreparedStatement[]) => {
      reads();
      return d1.batch(statements);
    };
    const session = { prepare: d1.prepare.bind(d1), batch, getBookmark: () => "bookmark" };
    const database = { ...session, withSession: () => session } as unknown as D1Database;
    const target = { call: () => Promise.reject(new Error("ChainState must not be called")) };
    return testNode({ database, network, stored: this.store.stored, target });
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("blocks are in KV once they are final, as readers get them, and readers find them and their headers there", async () => {
  const world = new World();
  await world.mineTo(firstWrite - 1);
  expect(world.store.puts).toEqual([]);
  await world.mineTo(firstWrite);
  expect(world.store.heights(0)).toEqual(upTo(BATCH_BLOCKS));

  const fromD1 = testNode({ database: d1Double(world.readModel.sqlite).d1, network, target: { call: async () => 0 } });
  const of = async (node: ReturnType<typeof testNode>, path: string) => (await node.fetch(path)).text();
  let batches = 0;
  const reader = world.reader(() => void batches++);
  vi.useFakeTimers({ toFake: ["Date"] });
  // From then on the state is known, for as long as the clock is stopped.
  await reader.fetch("/blocks/height");
  const before = batches;
  const responses = [];
  for (const height of world.store.heights(0))
    for (const path of [`/blocks/at/${height}`, `/blocks/headers/at/${height}`]) {
      const response = await of(reader, path);
      expect(response, path).toBe(await of(fromD1, path));
      responses.push(response);
    }
  expect(batches).toBe(before);
  expect(responses.filter((response) => response.includes('"transactions":[{')).length).toBeGreaterThan(0);
});

test("each is written once, a few in a batch, and a restart continues after the last one", async () => {
  const world = new World();
  await world.mineTo(firstWrite + 5);
  world.start(world.node.nowMs, world.node.database);
  await world.mineTo(firstWrite + 2 * BATCH_BLOCKS);
  expect(world.store.heights(0)).toEqual(upTo(3 * BATCH_BLOCKS));
  expect(world.store.puts).toHaveLength(3 * BATCH_BLOCKS);
});

test("a KV that fails keeps no block from readers, is logged, and is tried again", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const world = new World();
  await world.mineTo(firstWrite - 1);
  world.store.isDown = true;
  await world.mineTo(firstWrite + 30);
  const shown = world.readModel.sqlite.prepare("SELECT height FROM chain").get() as { readonly height: number };
  expect(shown.height).toBe(firstWrite + 30);
  expect(world.store.heights(0)).toEqual([]);
  expect(errors.mock.calls[0]?.[0]).toContain("final blocks were not written to KV");
  // Not with each publication.
  expect(errors.mock.calls.length).toBeLessThan(20);
  world.store.isDown = false;
  world.node.nowMs += 30_000;
  await world.publish();
  expect(world.store.heights(0)).toEqual(upTo(40));
});

test("a KV that never responds delays neither blocks nor their publication", async () => {
  const world = new World();
  vi.spyOn(world.store, "put").mockReturnValue(new Promise(() => {}));
  await world.mineTo(firstWrite + 20);
  expect(world.readModel.sqlite.prepare("SELECT height FROM chain").get()).toEqual({ height: firstWrite + 20 });
});

test("after a forced rollback the rolled back blocks are not found, and blocks that become final again are written again", async () => {
  const world = new World();
  await world.mineTo(firstWrite);
  const before = await (await world.reader().fetch("/blocks/at/8")).json();
  await world.node.node.revert(5, { isForced: true, dropsTransactions: true });
  world.node.nowMs += 1;
  await world.mineTo(firstWrite);
  expect(world.store.heights(0)).toEqual(upTo(10));
  expect(world.store.heights(1)).toEqual(upTo(10));
  const id = encodeBase58(world.node.chain.stored.rowAt(8).id);
  expect(before).not.toMatchObject({ id });
  expect(await (await world.reader().fetch("/blocks/at/8")).json()).toMatchObject({ id });
});

test("blocks of an import are left to first readers, and blocks that become final after it are written", async () => {
  const made = new SimulatedNode({ startMs });
  made.mineTo(firstWrite + 5);
  const { chainId } = privateNetwork.blockchain;
  const file = Buffer.concat(made.keyBlocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId))));
  const world = new World();
  world.node.nowMs = made.nowMs;
  await world.node.node.importBlocks(file, { toHeight: undefined, verified: "" });
  const imported = world.node.chain.stored.finalizedHeight();
  expect(imported).toBeGreaterThan(BATCH_BLOCKS);
  await world.publish();
  expect(world.store.puts).toEqual([]);
  await world.mineTo(world.node.height + BATCH_BLOCKS);
  expect(world.store.heights(0)).toEqual(upTo(BATCH_BLOCKS).map((count) => imported + count));
});

test("nothing is written while the chain is catching up", async () => {
  const made = new SimulatedNode({ startMs });
  made.mineTo(firstWrite + 5);
  const world = new World();
  world.node.nowMs = made.nowMs + 600_001;
  for (const block of made.keyBlocks) world.node.append(block);
  await world.publish();
  expect(world.readModel.sqlite.prepare("SELECT height FROM chain").get()).toEqual({ height: made.height });
  expect(world.store.puts).toEqual([]);
});

test("missing blocks below a checkpoint do not stop those after them", async () => {
  const world = new World();
  await world.mineTo(firstWrite - 1);
  world.readModel.sqlite.exec("DELETE FROM block WHERE height <= 12");
  await world.mineTo(firstWrite + BATCH_BLOCKS);
  expect(world.store.heights(0)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
});

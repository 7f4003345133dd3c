import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../scripts/tools/chain-maker/seeded-random.ts";
import { SimulatedNode } from "../../scripts/tools/simulation/simulated-node.ts";
import { stateTables } from "../../src/tables/all-tables.ts";
import { signedTransfer } from "./pool/signed-transfer.ts";

const startMs = 1_700_000_000_000;
const tables = [...stateTables.map(({ name }) => name), "undo"];

function seededNode(seed: string): SimulatedNode {
  const luck = new SeededRandom(seed);
  return new SimulatedNode({ startMs, random: (sizeBytes) => luck.bytes(sizeBytes) });
}

describe("the wired node", () => {
  test("forges the same chain from the same seed, and another one from another seed", () => {
    const transfers = [1n, 2n, 3n].map((after) => signedTransfer({ timestamp: BigInt(startMs) + after }));
    const [first, second, other] = ["seed", "seed", "another seed"].map((seed) => {
      const node = seededNode(seed);
      for (const transfer of transfers) {
        node.broadcast(transfer);
        node.mineTo(node.height + 2);
      }
      return node.database.dump(tables);
    });
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  test("goes on where it stood when it is started again on its database", () => {
    const node = seededNode("seed");
    node.mineTo(4);
    const waiting = signedTransfer({ timestamp: BigInt(node.nowMs) });
    node.broadcast(waiting);
    const again = new SimulatedNode({ startMs: node.nowMs, database: node.database });
    expect(again.chain.stored.tip()).toEqual(node.chain.stored.tip());
    expect([...again.pool.all()].map(({ id }) => id)).toEqual([waiting.id]);
    while (again.pool.size > 0) again.step();
    expect(again.chain.view.findTransaction(waiting.id)).toBeDefined();
  });

  test("checks the pool again after a micro-block of its own", () => {
    const node = seededNode("seed");
    node.mineTo(3);
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) }));
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) + 1n }));
    while (node.node.step().kind !== "microBlock") {
      node.nowMs = Math.max(node.nowMs, node.miner.nextWakeMs(node.nowMs) ?? 0);
    }
    expect(node.pool.size === 0 || node.pool.hasCleanUp).toBe(true);
  });

  test("revert gives the transactions of the blocks that it takes back to the pool, and they are mined again", async () => {
    const node = seededNode("seed");
    node.mineTo(3);
    const transfer = signedTransfer({ timestamp: BigInt(node.nowMs) });
    node.broadcast(transfer);
    while (node.pool.size > 0) node.step();
    node.mineTo(node.height + 2);
    await node.node.revert(3);
    expect(node.height).toBe(3);
    expect([...node.pool.all()].map(({ id }) => id)).toEqual([transfer.id]);
    while (node.pool.size > 0) node.step();
    expect(node.chain.view.findTransaction(transfer.id)).toBeDefined();
  });
});

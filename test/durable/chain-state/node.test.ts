import { describe, expect, test, vi } from "vitest";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { decodeIdList } from "../../../src/protocol/codec/id-list.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { TransferTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { poorKey, richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";
import { UnreliableReadModel } from "../../support/fakes/unreliable-read-model.ts";

const startMs = 1_700_000_000_000;
const tables = [...stateTables.map(({ name }) => name), "undo"];

function seededNode(seed: string): SimulatedNode {
  const random = new SeededRandom(seed);
  return new SimulatedNode({ startMs, random: (sizeBytes) => random.bytes(sizeBytes) });
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

  test("goes on from its last state when it is restarted on its database", () => {
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

  test("requests a wake for the first transaction that waits, and not again for those after it", async () => {
    const wakes: number[] = [];
    const { timestampMs } = privateNetwork.blockchain.genesis;
    const wakeAt = async (timeMs: number) => void wakes.push(timeMs);
    const node = new SimulatedNode({ startMs: Number(timestampMs), wakeAt, readModel: new UnreliableReadModel() });
    node.mineTo(3);
    await node.node.drain();
    await node.node.work();
    const looked = vi.spyOn(node.miner, "nextWakeMs");
    const send = async () => {
      const transfer = signedTransfer({ timestamp: BigInt(node.nowMs) + BigInt(node.pool.size) });
      const [result] = await node.node.poolCalls.broadcastAll([{ signedTransaction: encodeProtobuf(transfer) }]);
      expect(result).toEqual({ accepted: true, isNew: true });
    };
    await send();
    expect(wakes.at(-1)).toBe(node.miner.nextWakeMs(node.nowMs));
    looked.mockClear();
    await send();
    await send();
    expect(looked).not.toHaveBeenCalled();
    // A missed alarm is requested again.
    node.nowMs = wakes.at(-1) as number;
    const { length } = wakes;
    await send();
    expect(wakes).toHaveLength(length + 1);
    while (node.pool.size > 0) node.step();
  });

  test("drops transactions from the pool that its own micro-block has made impossible", () => {
    const { node: settings } = privateNetwork;
    const oneAtATime = { ...settings, miner: { ...settings.miner, maxTransactionsInMicroBlock: 1 } };
    const node = new SimulatedNode({ startMs, node: oneAtATime });
    const funding = signedTransfer({ timestamp: BigInt(startMs), amount: 1_000_000n });
    node.broadcast(funding);
    while (node.pool.size > 0) node.step();
    const spend = { key: poorKey, to: richKey, amount: 700_000n };
    const [first, second] = [0n, 1n].map((after) =>
      signedTransfer({ ...spend, timestamp: BigInt(node.nowMs) + after }),
    );
    for (const transfer of [first, second]) node.broadcast(transfer as TransferTransaction);
    expect(node.pool.size).toBe(2);
    while (node.step().kind !== "microBlock");
    expect(node.pool.size).toBe(0);
  });

  test("revert returns the transactions of rolled back blocks to the pool, and they are mined again", async () => {
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

  test("returns transactions that an import discards to the pool", async () => {
    const node = seededNode("seed");
    node.mineTo(3);
    const keyBlock = node.keyBlocks.at(-1) as Block;
    const rival = seededNode("another seed");
    for (const block of node.keyBlocks) rival.append(block);
    expect(rival.chain.stored.tip().id).toEqual(keyBlock.id);
    rival.mineTo(4);
    node.nowMs = Number(keyBlock.header.timestamp);
    const transfer = signedTransfer({ timestamp: BigInt(node.nowMs) });
    node.broadcast(transfer);
    while (node.pool.size > 0) node.step();
    expect(node.height).toBe(3);
    node.nowMs = rival.nowMs;
    const bytes = encodeBlock(rival.chain.stored.findBlock(4) as Block, privateNetwork.blockchain.chainId);
    const imported = await node.node.importBlocks(encodeBlockRecord(bytes));
    expect(imported).toEqual({ height: 4, applied: 1, fault: undefined });
    expect([...node.pool.all()].map(({ id }) => id)).toEqual([transfer.id]);
  });

  test("goes on after the blocks that were written, after an import that the database refused", async () => {
    const maker = seededNode("seed");
    maker.mineTo(4);
    const transfer = signedTransfer({ timestamp: BigInt(maker.nowMs) });
    maker.broadcast(transfer);
    while ((maker.chain.view.findTransaction(transfer.id)?.height ?? maker.height) === maker.height) maker.step();
    const { chainId } = privateNetwork.blockchain;
    const records = Array.from({ length: maker.height - 1 }, (_, index) =>
      encodeBlockRecord(encodeBlock(maker.chain.stored.findBlock(index + 2) as Block, chainId)),
    );
    const node = seededNode("another seed");
    node.nowMs = maker.nowMs;
    const id = Buffer.from(transfer.id).toString("hex");
    node.database.exec(
      `CREATE TRIGGER refuses BEFORE INSERT ON tx WHEN NEW.id = x'${id}' BEGIN SELECT RAISE(ABORT, 'too big'); END`,
    );
    await expect(node.node.importBlocks(Buffer.concat(records))).rejects.toThrow("too big");
    expect(node.height).toBe(node.node.store.scalar("SELECT MAX(height) FROM block"));
    expect(node.height).toBeLessThan(maker.height - 1);
    node.mineTo(maker.height);
    expect(node.height).toBe(maker.height);
  });

  test("lists a transaction once that an import puts into a block while it waits in the pool", async () => {
    const maker = seededNode("seed");
    maker.mineTo(2);
    const transfer = signedTransfer({ timestamp: BigInt(maker.nowMs) });
    maker.broadcast(transfer);
    while (maker.pool.size > 0) maker.step();
    maker.mineTo(maker.height + 1);
    const node = new SimulatedNode({ startMs: maker.nowMs, readModel: { batch: () => new Promise(() => {}) } });
    node.broadcast(transfer);
    const { chainId } = privateNetwork.blockchain;
    const records = Array.from({ length: maker.height - 1 }, (_, index) =>
      encodeBlockRecord(encodeBlock(maker.chain.stored.findBlock(index + 2) as Block, chainId)),
    );
    void node.node.importBlocks(Buffer.concat(records));
    const { poolCalls } = node.node;
    expect([...decodeIdList(await poolCalls.unconfirmedIds())]).toEqual([transfer.id]);
    expect(await poolCalls.unconfirmedCount()).toBe(1);
    expect(node.pool.size).toBe(0);
  });

  test("counts a transaction once that a branch drops before it is published", async () => {
    const node = seededNode("seed");
    node.mineTo(3);
    await node.node.drain();
    node.nowMs = Number(node.chain.stored.tip().timestamp);
    const transfer = signedTransfer({ timestamp: BigInt(node.nowMs) });
    node.broadcast(transfer);
    while (node.pool.size > 0) node.step();
    expect(await node.node.poolCalls.unconfirmedCount()).toBe(1);
    node.mineTo(5);
    const rival = seededNode("another seed");
    rival.append(node.chain.stored.findBlock(2) as Block);
    rival.nowMs = node.nowMs;
    rival.mineTo(7);
    node.nowMs = Math.max(node.nowMs, rival.nowMs);
    const branch = [3, 4, 5, 6, 7].map((height) => rival.chain.stored.findBlock(height) as Block);
    node.node.appendBranch(branch);
    expect(node.pool.has(transfer.id)).toBe(true);
    expect(await node.node.poolCalls.unconfirmedCount()).toBe(1);
    expect([...decodeIdList(await node.node.poolCalls.unconfirmedIds())]).toHaveLength(1);
  });
});

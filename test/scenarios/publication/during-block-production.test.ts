/**
 * Publication independent of block production: whatever happens to D1, blocks are made, and every transaction is found.
 */
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { decodeIdList } from "../../../src/protocol/codec/id-list.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";
import { UnreliableReadModel } from "../../support/fakes/unreliable-read-model.ts";

const startMs = 1_700_000_000_000;

async function arrange() {
  const readModel = new UnreliableReadModel();
  const node = new SimulatedNode({ startMs, readModel });
  await node.node.wake();
  expect(readModel.chain?.is_whole).toBe(1);
  return { readModel, node };
}

/** Fires the alarm at the miner's next wake. */
async function ring(node: SimulatedNode): Promise<void> {
  node.nowMs = Math.max(node.nowMs, node.miner.nextWakeMs(node.nowMs) ?? 0);
  await node.node.work();
}

async function ringTo(node: SimulatedNode, height: number): Promise<void> {
  while (node.height < height) await ring(node);
}

function transferTo(node: SimulatedNode): Transaction {
  const transfer = signedTransfer({ timestamp: BigInt(node.nowMs) });
  expect(node.broadcast(transfer)).toBe(true);
  return transfer;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function isPublished({ sqlite }: UnreliableReadModel, { id }: Transaction): boolean {
  return (
    sqlite.prepare("SELECT 1 FROM tx JOIN chain ON tx.height <= chain.height WHERE tx.id = ?").get(id) !== undefined
  );
}

const isUnconfirmed = async ({ node }: SimulatedNode, { id }: Transaction) =>
  (await node.poolCalls.areUnconfirmed([id]))[0];

/** Unconfirmed transactions, as the Worker lists them. */
async function listed({ node }: SimulatedNode): Promise<readonly (Uint8Array | undefined)[]> {
  const ids = [...decodeIdList(await node.poolCalls.unconfirmedIds())];
  return node.poolCalls.someUnconfirmed(ids, 1_000_000);
}

test.each(["hangs", "is lost"] as const)("blocks are made while each publication %s", async (fate) => {
  const { readModel, node } = await arrange();
  readModel.fates = Array.from({ length: 1_000 }, () => fate);
  await ringTo(node, 12);
  expect(node.height).toBe(12);
});

test("a node that is woken requests its next wake although the read model does not respond", async () => {
  const readModel = new UnreliableReadModel();
  readModel.fates = ["hangs"];
  const wakes: number[] = [];
  const node = new SimulatedNode({ startMs, readModel, wakeAt: async (timeMs) => void wakes.push(timeMs) });
  void node.node.wake();
  await settled();
  expect(wakes[0]).toBe(node.miner.nextWakeMs(startMs));
});

test("a read model that does not respond is tried again after a second, then later and later, at most a minute", async () => {
  const { readModel, node } = await arrange();
  readModel.isDown = true;
  readModel.count = 0;
  await ringTo(node, 2);
  const attempts: number[] = [];
  const fromMs = node.nowMs;
  for (let seconds = 0; seconds <= 600; seconds++) {
    const before = readModel.count;
    node.nowMs = fromMs + 1_000 * seconds;
    await node.node.work();
    await settled();
    if (readModel.count > before) attempts.push(seconds);
  }
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] as number));
  expect(pauses.slice(0, 6)).toEqual([2, 4, 8, 16, 32, 60]);
  expect(Math.max(...pauses)).toBe(60);
  readModel.isDown = false;
  node.nowMs += 60_000;
  await node.node.work();
  await node.node.publish();
  expect(readModelDifferences(node.database.database, readModel.sqlite)).toEqual([]);
});

test("a wake ends the pause after failed publications: a read model that comes back empty is written at once", async () => {
  const { readModel, node } = await arrange();
  readModel.isDown = true;
  for (let minute = 0; minute < 10; minute++) {
    node.nowMs += 60_000;
    await node.node.work();
    await settled();
  }
  readModel.isDown = false;
  readModel.sqlite = new DatabaseSync(":memory:");
  node.nowMs += 500;
  // Not within a second of the last try.
  await node.node.wake();
  expect(readModel.sqlite.prepare("SELECT name FROM sqlite_master").all()).toEqual([]);
  node.nowMs += 500;
  await node.node.wake();
  expect(readModelDifferences(node.database.database, readModel.sqlite)).toEqual([]);
  expect(readModel.chain?.is_whole).toBe(1);
});

test("the outbox is bounded while the next try is waited for, too", async () => {
  const logged: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void logged.push(line));
  const { readModel, node } = await arrange();
  readModel.isDown = true;
  for (let minute = 0; minute < 10; minute++) {
    node.nowMs += 60_000;
    await node.node.work();
    await settled();
  }
  const outboxSize = () => Number(node.node.store.scalar("SELECT COUNT(*) FROM outbox"));
  const count = readModel.count;
  expect(outboxSize()).toBeGreaterThan(0);
  // More than may wait, in one entry.
  node.database.exec("INSERT INTO outbox (table_number, removes, rows) VALUES (0, 0, printf('%.*c', 200000001, ' '))");
  node.nowMs += 1_000;
  await node.node.work();
  expect([outboxSize(), readModel.count]).toEqual([0, count]);
  expect(logged.filter((line) => line.includes("the outbox has reached its limit"))).toHaveLength(1);
  vi.restoreAllMocks();
});

test("the outbox has the state of the tables after each change of the chain, except rolled back ones", async () => {
  const { readModel, node } = await arrange();
  readModel.isDown = true;
  await node.node.drain().catch(() => {});
  const versions = () =>
    node.node.store
      .rows("SELECT rows FROM outbox WHERE table_number = -1 ORDER BY seq")
      .map(([rows]) => (JSON.parse(String(rows)) as { version: string }).version);
  const expected: string[] = [];
  const stepTo = (isDone: () => boolean) => {
    while (!isDone()) if (node.step().kind !== "nothing") expected.push(node.chain.stored.state().version);
  };
  stepTo(() => node.height === 4);
  transferTo(node);
  stepTo(() => node.pool.size === 0);
  const atTransfer = node.height;
  stepTo(() => node.height === atTransfer + 3);
  expect(versions()).toEqual(expected);
  expect(expected.filter((version) => version.includes(":1:"))).toHaveLength(1);
  await node.node.revert(atTransfer);
  const { version } = node.chain.stored.state();
  expect(versions()).toEqual([...expected.slice(0, expected.indexOf(version) + 1), version]);
});

test("a publication that failed while the clock was ahead is tried again by the right time", async () => {
  const { readModel, node } = await arrange();
  await ringTo(node, 2);
  await node.node.publish();
  const rightMs = node.nowMs;
  readModel.isDown = true;
  node.nowMs += 24 * 3_600_000;
  await node.node.revert(1);
  await node.node.publish();
  readModel.isDown = false;
  node.nowMs = rightMs;
  await node.node.publish();
  expect(readModelDifferences(node.database.database, readModel.sqlite)).toEqual([]);
});

test("after hours without a read model, and a restart, every transaction is found, and then published", async () => {
  const { readModel, node } = await arrange();
  readModel.isDown = true;
  const included: Transaction[] = [];
  while (included.length < 40) {
    included.push(transferTo(node));
    while (node.pool.size > 0) await ring(node);
    node.nowMs += 10 * 60_000;
  }
  const again = new SimulatedNode({ startMs: node.nowMs, readModel, database: node.database });
  const { poolCalls } = again.node;
  expect(await poolCalls.areUnconfirmed(included.map(({ id }) => id))).toEqual(included.map(() => true));
  expect(await poolCalls.unconfirmedCount()).toBe(included.length);
  expect(await listed(again)).toEqual(included.map(encodeProtobuf));
  const [first] = included as [Transaction];
  expect(await poolCalls.findUnconfirmed(first.id)).toEqual(encodeProtobuf(first));
  const submissions = [{ signedTransaction: encodeProtobuf(first) }];
  expect(await poolCalls.broadcastAll(submissions)).toEqual([{ accepted: true, isNew: false }]);

  readModel.isDown = false;
  await again.node.wake();
  expect(readModelDifferences(node.database.database, readModel.sqlite)).toEqual([]);
  expect(await poolCalls.unconfirmedCount()).toBe(0);
  expect(await poolCalls.findUnconfirmed(first.id)).toBeUndefined();
  expect(included.filter((transfer) => !isPublished(readModel, transfer))).toEqual([]);
});

test("at any time a transaction is unconfirmed or published, however publications end", async () => {
  const { readModel, node } = await arrange();
  const fates = ["lands", "is lost", "lands unheard", "lands", "is late"] as const;
  const sent: Transaction[] = [];
  for (let round = 0; round < 60; round++) {
    readModel.fates = [fates[round % fates.length] ?? "lands", fates[(round * 7) % fates.length] ?? "lands"];
    if (round % 3 === 0) sent.push(transferTo(node));
    await ring(node);
    node.nowMs += 2_000;
    for (const transfer of sent)
      if (!isPublished(readModel, transfer)) expect(await isUnconfirmed(node, transfer), `round ${round}`).toBe(true);
    await settled();
    if (round === 20 || round === 40) await node.node.revert(node.height - 2);
    for (const transfer of sent)
      if (!isPublished(readModel, transfer)) expect(await isUnconfirmed(node, transfer), `round ${round}`).toBe(true);
  }
  readModel.fates = [];
  node.nowMs += 60_000;
  await ringTo(node, node.height + 1);
  await node.node.publish();
  expect(readModelDifferences(node.database.database, readModel.sqlite)).toEqual([]);
});

test("a transaction that a rollback returned to the pool is counted once", async () => {
  const { readModel, node } = await arrange();
  await ringTo(node, 3);
  readModel.isDown = true;
  const transfer = transferTo(node);
  while (node.pool.size > 0) await ring(node);
  expect(await node.node.poolCalls.unconfirmedCount()).toBe(1);
  await node.node.revert(2);
  expect([node.pool.size, await node.node.poolCalls.unconfirmedCount()]).toEqual([1, 1]);
  while (node.pool.size > 0) await ring(node);
  expect(await listed(node)).toEqual([encodeProtobuf(transfer)]);
});

test("a publication that lands after a rollback shows no transaction of the new branch", async () => {
  const { readModel, node } = await arrange();
  await ringTo(node, 3);
  await node.node.publish();
  readModel.fates = ["lands unheard"];
  const oldHeight = 20;
  while (node.height < oldHeight) node.step();
  await ring(node);
  await settled();
  readModel.isDown = true;
  await node.node.revert(3);
  const transfer = transferTo(node);
  while (node.pool.size > 0) await ring(node);
  // At a height that the old branch has, too.
  expect(node.chain.view.findTransaction(transfer.id)?.height).toBeLessThan(oldHeight);
  // The publisher finds the old branch published, and gets no further.
  readModel.isDown = false;
  readModel.fates = ["is lost"];
  node.nowMs += 60_000;
  await node.node.publish();
  expect([isPublished(readModel, transfer), await isUnconfirmed(node, transfer)]).toEqual([false, true]);
  node.nowMs += 60_000;
  await node.node.publish();
  expect([isPublished(readModel, transfer), await isUnconfirmed(node, transfer)]).toEqual([true, false]);
  expect(readModelDifferences(node.database.database, readModel.sqlite)).toEqual([]);
});

test("the node reports how long the oldest change has been waiting for the read model", async () => {
  const { readModel, node } = await arrange();
  const unpublishedMs = async () => (await node.node.status()).unpublishedMs;
  expect(await unpublishedMs()).toBe(0);
  readModel.fates = ["is lost"];
  await ringTo(node, 2);
  const sinceMs = node.nowMs;
  await settled();
  node.nowMs += 700;
  expect(await unpublishedMs()).toBe(node.nowMs - sinceMs);
  node.nowMs += 60_000;
  await node.node.wake();
  await settled();
  expect(await unpublishedMs()).toBe(0);
});

test("a read model that is rewritten counts as behind until it is whole", async () => {
  const readModel = new UnreliableReadModel();
  const node = new SimulatedNode({ startMs, readModel });
  node.nowMs += 5_000;
  expect((await node.node.status()).unpublishedMs).toBe(5_000);
  await node.node.wake();
  await settled();
  expect((await node.node.status()).unpublishedMs).toBe(0);
});

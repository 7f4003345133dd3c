/** Limits of the pool's work in one go, at any size: at a start, after a change of the chain, after a failed one. */
import { beforeEach, expect, test, vi } from "vitest";
import { equalBytes } from "../../../../src/crypto/bytes.ts";
import { verify } from "../../../../src/crypto/curve25519.ts";
import { transactionSizeBytes } from "../../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction } from "../../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction, TransferTransaction } from "../../../../src/protocol/transactions/transaction.ts";
import { applyTransaction } from "../../../../src/rules/transactions/apply-transaction.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { type TestDatabase, testDatabase } from "../../../../verification/sqlite/test-database.ts";
import { withoutStateSnapshots } from "../../../support/builders/discarded.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";

vi.mock("../../../../src/rules/transactions/apply-transaction.ts", { spy: true });
vi.mock("../../../../src/protocol/transactions/parse-transaction.ts", { spy: true });
vi.mock("../../../../src/crypto/curve25519.ts", { spy: true });

const startMs = 1_700_000_000_000;
const checks = () => vi.mocked(applyTransaction).mock.calls.length;
const parses = () => vi.mocked(parseSignedTransaction).mock.calls.length;
const verified = ({ proofs: [proof] }: TransferTransaction) =>
  vi.mocked(verify).mock.calls.filter(([signature]) => equalBytes(signature, proof as Uint8Array)).length;

beforeEach(() => {
  vi.clearAllMocks();
});

const sentTransfers: TransferTransaction[] = [];
/** Transfers a millisecond apart, the youngest first. */
function transfers(count: number): TransferTransaction[] {
  while (sentTransfers.length < count)
    sentTransfers.push(signedTransfer({ timestamp: BigInt(startMs - sentTransfers.length) }));
  return sentTransfers.slice(0, count);
}

/** Fills the pool with transactions returned from the chain, which cost no check before. */
function fill({ pool, chain }: SimulatedNode, transactions: readonly Transaction[]): void {
  pool.follow({ appended: [], discarded: undefined, dropped: transactions }, chain.view)();
}

const ids = ({ pool }: SimulatedNode) => [...pool.ids()];

test("a start reads nothing of the pool; it is read in slices, and meanwhile all ids are known", () => {
  const node = new SimulatedNode({ startMs });
  const transactions = transfers(320);
  fill(node, transactions);
  vi.clearAllMocks();
  const again = new SimulatedNode({ startMs, database: node.database });
  const { pool } = again;
  expect(parses()).toBe(0);
  expect([pool.size, ids(again).length, pool.isRead]).toEqual([320, 320, false]);
  const { id } = transactions[319] as Transaction;
  expect([pool.has(id), pool.findBytes(id) !== undefined]).toEqual([true, true]);
  expect(again.broadcast(transactions[300] as Transaction)).toBe(false);
  pool.removeAll([{ id }]);
  expect([pool.size, pool.has(id), ids(again).length]).toEqual([319, false, 319]);
  const portions: number[] = [];
  while (!pool.isRead) {
    const before = parses();
    pool.cleanUp(again.chain.view, again.nowMs);
    portions.push(parses() - before);
  }
  expect(Math.max(...portions)).toBeLessThanOrEqual(50);
  expect([pool.size, parses()]).toEqual([319, 319]);
  expect(ids(again)).toEqual(ids(node).filter((known) => !equalBytes(known, id)));
});

test("blocks are made from the part of the pool that was read", () => {
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  fill(node, transfers(120));
  const again = new SimulatedNode({ startMs: node.nowMs, database: node.database });
  let kind: string;
  do {
    again.nowMs = again.miner.nextWakeMs(again.nowMs) as number;
    kind = again.miner.run(again.nowMs).kind;
  } while (kind !== "microBlock");
  expect(again.pool.isRead).toBe(false);
  expect(again.chain.stored.tip().transactionCount).toBe(50);
  expect(again.pool.size).toBe(70);
});

test("after a key block a part of a large pool is checked again, and after the next one the rest", () => {
  const node = new SimulatedNode({ startMs });
  fill(node, transfers(3_000));
  const { pool, chain } = node;
  const cleanUp = () => {
    while (pool.cleanUp(chain.view, node.nowMs));
  };
  cleanUp();
  vi.clearAllMocks();
  pool.startCleanUp();
  cleanUp();
  expect(checks()).toBe(2_000);
  pool.startCleanUp();
  cleanUp();
  const checked = new Set(vi.mocked(applyTransaction).mock.calls.map(([{ id }]) => String(id)));
  expect([checks(), checked.size]).toEqual([4_000, 3_000]);
});

test("checking ends after its time limit", () => {
  const node = new SimulatedNode({ startMs });
  fill(node, transfers(1_000));
  const { pool, chain } = node;
  vi.clearAllMocks();
  for (let slice = 0; slice < 5; slice++) pool.cleanUp(chain.view, node.nowMs + 400 * slice, 100);
  expect(checks()).toBe(300);
  expect(pool.hasCleanUp).toBe(false);
});

test("a slice ends after a limit of bytes", () => {
  const node = new SimulatedNode({ startMs });
  const [first] = transfers(100) as [TransferTransaction];
  fill(node, transfers(100));
  vi.clearAllMocks();
  node.pool.startCleanUp();
  node.pool.cleanUp(node.chain.view, node.nowMs, 100, 10 * transactionSizeBytes(first));
  expect(checks()).toBe(10);
});

test("transactions without room in a block are not read to find that out", () => {
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  fill(node, transfers(40));
  const { pool, chain, nowMs } = new SimulatedNode({ startMs: node.nowMs, database: node.database });
  while (!pool.isRead) pool.cleanUp(chain.view, nowMs);
  const { run } = chain.liquid.openMicroBlock({ verifySignatures: true });
  run.usage = { ...run.usage, sizeBytes: (run.limits.sizeBytes as number) - 120 };
  vi.clearAllMocks();
  expect(pool.pack(run, { view: chain.view, maxTransactions: 40, nowMs }).transactions).toEqual([]);
  expect([pool.size, parses()]).toEqual([40, 0]);
});

test("expired transactions are dropped first, without a check", () => {
  const node = new SimulatedNode({ startMs });
  const { pool, chain } = node;
  fill(node, transfers(2_500));
  vi.clearAllMocks();
  node.nowMs += Number(chain.view.settings.functionality.maxTransactionTimeBackOffsetMs) - 100;
  pool.startCleanUp();
  while (pool.cleanUp(chain.view, node.nowMs, 3_000));
  expect(pool.size).toBe(101);
  expect(checks()).toBe(101);
});

/** Database whose transactions fail at their end on demand. */
function fallible(): TestDatabase & { isFailing: boolean } {
  const database = testDatabase();
  const failing = {
    ...database,
    isFailing: false,
    transaction: <T>(run: () => T): T =>
      database.transaction(() => {
        const result = run();
        if (failing.isFailing) throw new Error("the disk failed");
        return result;
      }),
  };
  return failing;
}

test("a failed append leaves the pool as it was: its order and verified signatures; nothing is read again", () => {
  const database = fallible();
  const node = new SimulatedNode({ startMs, database });
  node.mineTo(2);
  const [first, second, third] = transfers(3) as [TransferTransaction, TransferTransaction, TransferTransaction];
  node.pool.follow({ appended: [], discarded: withoutStateSnapshots([first]), dropped: [] }, node.chain.view)();
  for (const transfer of [second, third]) node.broadcast(transfer);
  const before = ids(node);
  expect(before[0]).toEqual(first.id);
  vi.clearAllMocks();
  database.isFailing = true;
  // A key block, before which the priority pool is empty, and a micro-block.
  for (let tries = 0; tries < 4; tries++) {
    expect(() => node.step()).toThrow("the disk failed");
    expect(ids(node)).toEqual(before);
  }
  database.isFailing = false;
  while (node.pool.size > 0) node.step();
  expect(parses()).toBe(0);
  // Signatures that the pool itself has verified are not verified again.
  expect([first, second, third].map((transfer) => verified(transfer) > 0)).toEqual([true, false, false]);
});

test("a failed append throws its own error, although the pool could not be read", () => {
  const database = fallible();
  const node = new SimulatedNode({ startMs, database });
  node.mineTo(2);
  node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) }));
  database.isFailing = true;
  database.exec("ALTER TABLE pool RENAME TO gone");
  expect(() => node.step()).toThrow("the disk failed");
  database.exec("ALTER TABLE gone RENAME TO pool");
  expect(node.pool.size).toBe(1);
});

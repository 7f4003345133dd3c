import { describe, expect, test } from "vitest";
import { BranchBlocks } from "../../../../durable/chain-state/chain/branch-blocks.ts";
import type { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block, BlockId } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import type { DataTransaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import type { StoredValue } from "../../../../src/tables/schema/cell.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { type TestDatabase, testDatabase } from "../../../../verification/sqlite/test-database.ts";
import { signedBy } from "../../../support/builders/signed-by.ts";
import { richKey } from "../../../support/builders/signed-transfer.ts";

const startMs = 1_700_000_000_000;
const { chainId } = privateNetwork.blockchain;
/** Largest value that Cloudflare accepts, bytes. */
const MAX_VALUE_BYTES = 2_000_000;

interface LimitedDatabase extends TestDatabase {
  /** Largest sum of all values in the rows of one statement, bytes. */
  largestResultBytes: number;
}

/** Database that refuses values too large for the platform. */
function limitedDatabase(): LimitedDatabase {
  const database = testDatabase();
  const limited: LimitedDatabase = {
    ...database,
    largestResultBytes: 0,
    exec(query, ...bindings) {
      for (const value of bindings)
        if (sizeBytesOf(value) > MAX_VALUE_BYTES) throw new Error(`a value is too large: ${query.slice(0, 60)}`);
      const cursor = database.exec(query, ...bindings);
      const rows = cursor.raw().toArray();
      const resultBytes = rows.flat().reduce<number>((sum, value) => sum + sizeBytesOf(value), 0);
      limited.largestResultBytes = Math.max(limited.largestResultBytes, resultBytes);
      return { raw: () => rows.values() };
    },
  };
  return limited;
}

function sizeBytesOf(value: StoredValue): number {
  if (value instanceof ArrayBuffer) return value.byteLength;
  return typeof value === "string" ? Buffer.byteLength(value) : 8;
}

/** Transaction that writes five data entries. */
function dataTransaction(timestamp: number, keys: string, entryBytes: number): DataTransaction {
  const unsigned = buildTransaction({
    type: TransactionType.Data,
    version: 2,
    chainId,
    sender: richKey.publicKey,
    feeAsset: null,
    fee: 100_000_000n,
    timestamp: BigInt(timestamp),
    data: Array.from({ length: 5 }, (_, index) => ({
      key: `${keys}${index}`,
      value: { type: "binary", value: new Uint8Array(entryBytes).fill(index) } as const,
    })),
    proofs: [],
  });
  return signedBy(richKey, unsigned);
}

function nodeNamed(name: string, database?: TestDatabase): SimulatedNode {
  const random = new SeededRandom(name);
  return new SimulatedNode({
    startMs,
    random: (sizeBytes) => random.bytes(sizeBytes),
    ...(database && { database }),
  });
}

/** Extends the tip by the transactions. */
function extendTip(node: SimulatedNode, transactions: readonly DataTransaction[]): void {
  node.nowMs = Number(node.chain.stored.tip().timestamp);
  for (const transaction of transactions) node.broadcast(transaction);
  while (node.pool.size > 0) node.step();
}

function blockAt({ chain }: SimulatedNode, height: number): Block {
  return chain.stored.findBlock(height) as Block;
}

test("a full block can be replaced by a better branch, and restored", () => {
  const node = nodeNamed("first", limitedDatabase());
  node.mineTo(3);
  extendTip(
    node,
    Array.from({ length: 7 }, (_, number) => dataTransaction(node.nowMs + number, `${number}/`, 29_800)),
  );
  const full = blockAt(node, 3);
  expect(2 * encodeBlock(full, chainId).length).toBeGreaterThan(MAX_VALUE_BYTES);
  const rival = nodeNamed("second");
  rival.append(blockAt(node, 2));
  rival.mineTo(4);
  node.nowMs = Math.max(node.nowMs, rival.nowMs);
  node.node.appendBranch([3, 4].map((height) => blockAt(rival, height)));
  expect(node.chain.stored.tip().id).toEqual(rival.chain.stored.tip().id);
  expect(node.pool.size).toBe(7);
  const third = nodeNamed("third");
  for (const block of [blockAt(node, 2), full]) third.append(block);
  third.mineTo(5);
  node.nowMs = Math.max(node.nowMs, third.nowMs);
  node.node.appendBranch([3, 4, 5].map((height) => blockAt(third, height)));
  expect(node.chain.stored.tip().id).toEqual(third.chain.stored.tip().id);
});

test("blocks are rolled back one at a time: memory holds few of their undo records", () => {
  const database = limitedDatabase();
  const node = nodeNamed("first", database);
  node.mineTo(2);
  for (let height = 3; height < 10; height++) {
    node.mineTo(height);
    extendTip(
      node,
      [0, 1, 2].map((number) => dataTransaction(node.nowMs + number, `${number}/`, 20_000)),
    );
  }
  database.largestResultBytes = 0;
  node.chain.forks.revertTo(2);
  expect(node.height).toBe(2);
  expect(database.largestResultBytes).toBeLessThan(1_200_000);
});

const idOf = (number: number) => new Uint8Array(32).fill(number) as BlockId;

/** Stored branch blocks of a node, and a sample block. */
function arrange() {
  const node = nodeNamed("first");
  node.mineTo(2);
  return { node, branches: new BranchBlocks(node.node.store, chainId), block: blockAt(node, 2) };
}

function storedHeights(store: StateStore): readonly number[] {
  return store.rows("SELECT height FROM branch_block ORDER BY height").map(([height]) => Number(height));
}

describe("too many blocks", () => {
  const heights = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

  test("are dropped from the top of their branch: a block above a gap is of no use", () => {
    const { node, branches, block } = arrange();
    const { store } = node.node;
    for (const height of heights(3, 230).reverse()) branches.store({ ...block, id: idOf(height), height });
    branches.trim(1, 0);
    expect(storedHeights(store)).toEqual(heights(3, 230));
    branches.trim(5);
    expect(storedHeights(store)).toEqual(heights(6, 205));
  });

  test("have 4 MB at most, and the last ones to leave the chain stay", () => {
    const { node, branches, block } = arrange();
    const large = { ...block, transactions: Array(6).fill(dataTransaction(node.nowMs, "k", 29_800)) };
    const bytes = encodeBlock(large, chainId).length;
    const storedCount = Math.floor((4 * 2 ** 20) / bytes);
    for (const height of heights(3, 10).reverse()) branches.store({ ...large, id: idOf(height), height });
    branches.trim(1);
    expect(storedCount).toBeLessThan(8);
    expect(storedHeights(node.node.store)).toEqual(heights(3, 2 + storedCount));
  });
});

describe("a block that left the chain", () => {
  test("is stored once, however often it leaves, and the last time counts", () => {
    const { node, branches, block } = arrange();
    const store = (height: number) => branches.store({ ...block, id: idOf(height), height });
    for (const height of [3, 4, 3]) store(height);
    expect(node.node.store.rows("SELECT height, left_at FROM branch_block ORDER BY left_at")).toEqual([
      [4, 2],
      [3, 3],
    ]);
    expect(branches.newest()).toBe(3);
    branches.remove([{ ...block, id: idOf(3) }]);
    expect([branches.find(idOf(3)), branches.find(idOf(4))?.block.header]).toEqual([undefined, block.header]);
  });

  test("and does not fit into a row is not stored, but its transactions return to the pool", () => {
    const { node, branches, block } = arrange();
    const transaction = dataTransaction(node.nowMs, "k", 29_800);
    const large = { ...block, transactions: Array<DataTransaction>(13).fill(transaction) };
    expect(encodeBlock(large, chainId).length).toBeGreaterThan(1_900_000);
    expect([...branches.store({ ...large, id: idOf(3), height: 3 })]).toEqual(large.transactions);
    expect(branches.find(idOf(3))).toBeUndefined();
    const smaller = { ...block, transactions: large.transactions.slice(1) };
    expect(encodeBlock(smaller, chainId).length).toBeGreaterThan(1_700_000);
    expect([...branches.store({ ...smaller, id: idOf(3), height: 3 })].map(({ id }) => id)).toEqual(
      smaller.transactions.map(({ id }) => id),
    );
    expect(branches.find(idOf(3))).toBeDefined();
  });

  test("returns no transactions once it is dropped", () => {
    const { branches, block } = arrange();
    const dropped = branches.store({ ...block, id: idOf(3), height: 3 });
    branches.removeAbove(2);
    expect([...dropped]).toEqual([]);
  });

  test("is dropped above a height by force, and up to the finalized one, except those that left later", () => {
    const { node, branches, block } = arrange();
    const storedHeightsAfter = (change: () => void) => {
      for (const height of [6, 5, 4, 3]) branches.store({ ...block, id: idOf(height), height });
      change();
      return storedHeights(node.node.store);
    };
    expect(storedHeightsAfter(() => branches.removeAbove(4))).toEqual([3, 4]);
    expect(storedHeightsAfter(() => branches.trim(4))).toEqual([5, 6]);
    expect(storedHeightsAfter(() => branches.trim(4, branches.newest() - 1))).toEqual([3, 5, 6]);
  });
});

describe("the path from a stored block down to the chain", () => {
  const inChain = (id: Uint8Array) => (other: Uint8Array) => Buffer.from(other).equals(id);

  test("is its blocks, lowest first, and empty where one is missing or they follow each other in a circle", () => {
    const { branches, block } = arrange();
    const root = idOf(9);
    const stored = (number: number, reference: BlockId): void => {
      branches.store({ ...block, id: idOf(number), height: number, header: { ...block.header, reference } });
    };
    stored(3, root);
    stored(4, idOf(3));
    const path = (id: BlockId) =>
      branches.pathTo(id, inChain(root)).map((branchBlock) => branchBlock.block.header.reference);
    expect(path(root)).toEqual([]);
    expect(path(idOf(4))).toEqual([root, idOf(3)]);
    expect(path(idOf(5))).toEqual([]);
    stored(5, idOf(8));
    expect(path(idOf(5))).toEqual([]);
    stored(6, idOf(7));
    stored(7, idOf(6));
    expect(path(idOf(7))).toEqual([]);
  });
});

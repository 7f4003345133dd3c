import { describe, expect, test } from "vitest";
import { forgeMicroBlock } from "../../../durable/miner/forge-micro-block.ts";
import { SeededRandom } from "../../../scripts/tools/chain-maker/seeded-random.ts";
import { SimulatedNode, type SimulationOptions } from "../../../scripts/tools/simulation/simulated-node.ts";
import { testDatabase } from "../../../scripts/tools/sqlite/test-database.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { Block, BlockId, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { DataTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { richKey, signedTransfer } from "../pool/signed-transfer.ts";

const startMs = 1_700_000_000_000;
/** Everything but the outbox, which tells its readers of rollbacks too. */
const tables = [...stateTables.map(({ name }) => name), "undo", "branch_block", "meta"];

/** Nodes of one network whose blocks differ: each has its own luck. */
function nodeNamed(name: string, options: Partial<SimulationOptions> = {}): SimulatedNode {
  const luck = new SeededRandom(name);
  return new SimulatedNode({ startMs, random: (sizeBytes) => luck.bytes(sizeBytes), ...options });
}

function blocksOf({ chain }: SimulatedNode, from: number, to = chain.view.height): readonly Block[] {
  return Array.from({ length: to - from + 1 }, (_, index) => chain.stored.findBlock(from + index) as Block);
}

const idsOf = (blocks: readonly Block[]): readonly string[] => blocks.map(({ id }) => encodeBase58(id));

/** A node with the blocks of another one. */
function copyOf(other: SimulatedNode, height: number, name: string): SimulatedNode {
  const node = nodeNamed(name);
  node.nowMs = other.nowMs;
  for (const block of blocksOf(other, 2, height)) node.append(block);
  return node;
}

/** Two nodes that agree up to height 5; the second has mined two blocks more since than the first. */
function fork(): { readonly node: SimulatedNode; readonly rival: SimulatedNode } {
  const node = nodeNamed("first");
  node.mineTo(5);
  const rival = copyOf(node, 5, "second");
  node.mineTo(7);
  rival.mineTo(9);
  node.nowMs = Math.max(node.nowMs, rival.nowMs);
  return { node, rival };
}

function faultOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RuleError) return error.fault.code;
    throw error;
  }
  return "none";
}

test("a block that the chain has is passed over, however deep it stands", () => {
  const node = nodeNamed("first");
  node.mineTo(8);
  for (const height of [3, 7, 8]) expect(node.node.append(blocksOf(node, height)[0] as Block).hasChanged).toBe(false);
  expect(node.height).toBe(8);
});

describe("a branch", () => {
  test("that weighs more replaces what stands in its place", () => {
    const { node, rival } = fork();
    node.node.appendBranch(blocksOf(rival, 6));
    expect(idsOf(blocksOf(node, 2))).toEqual(idsOf(blocksOf(rival, 2)));
    expect(node.chain.stored.tip()).toEqual(rival.chain.stored.tip());
  });

  test("may begin with blocks that the chain has", () => {
    const { node, rival } = fork();
    node.node.appendBranch(blocksOf(rival, 3));
    expect(node.chain.stored.tip().id).toEqual(rival.chain.stored.tip().id);
    expect(node.node.appendBranch(blocksOf(rival, 3)).hasChanged).toBe(false);
  });

  test("that weighs as much or less is refused", () => {
    const { node, rival } = fork();
    expect(faultOf(() => node.node.appendBranch(blocksOf(rival, 6, 7)))).toBe("branchNotBetter");
    expect(faultOf(() => node.node.appendBranch(blocksOf(rival, 6, 6)))).toBe("branchNotBetter");
    expect(node.height).toBe(7);
  });

  test("with a wrong block is refused whole: the chain, its tables and its memory are as they were", () => {
    const { node, rival } = fork();
    const before = node.database.dump(tables);
    const branch = blocksOf(rival, 6);
    const last = branch.at(-1) as Block;
    const damaged = { ...last, header: { ...last.header, baseTarget: last.header.baseTarget + 1n } };
    expect(faultOf(() => node.node.appendBranch([...branch.slice(0, -1), damaged]))).toBe("blockSignatureInvalid");
    expect(node.database.dump(tables)).toBe(before);
    node.mineTo(8);
    expect(node.chain.stored.rowAt(7).id).not.toEqual(rival.chain.stored.rowAt(7).id);
  });

  test("with a gap, or on a block that nobody knows, is refused", () => {
    const { node, rival } = fork();
    const branch = blocksOf(rival, 6);
    expect(faultOf(() => node.node.appendBranch([branch[0], branch[2], branch[3]] as Block[]))).toBe(
      "blockReferenceUnknown",
    );
    expect(faultOf(() => node.node.appendBranch(branch.slice(1)))).toBe("blockReferenceUnknown");
  });

  test("that leaves the chain below its finalized height is refused, however much it weighs", () => {
    const node = nodeNamed("first");
    node.mineTo(3);
    const rival = copyOf(node, 3, "second");
    node.mineTo(104);
    rival.mineTo(110);
    node.nowMs = Math.max(node.nowMs, rival.nowMs);
    expect(node.chain.stored.finalizedHeight()).toBe(4);
    expect(faultOf(() => node.node.appendBranch(blocksOf(rival, 4)))).toBe("rollbackTooDeep");
  });

  test("gives back to the pool what falls out of the chain and is not in it", () => {
    const { node, rival } = fork();
    const now = BigInt(node.nowMs);
    const [lost, common] = [signedTransfer({ timestamp: now }), signedTransfer({ timestamp: now + 1n })];
    for (const transaction of [lost, common]) node.broadcast(transaction);
    while (node.pool.size > 0) node.step();
    expect(node.chain.view.findTransaction(lost.id)).toBeDefined();
    rival.broadcast(common);
    rival.nowMs = Math.max(node.nowMs, rival.nowMs);
    rival.mineTo(node.height + 5);
    node.nowMs = rival.nowMs;
    node.node.appendBranch(blocksOf(rival, 6));
    expect([...node.pool.all()].map(({ id }) => id)).toEqual([lost.id]);
    expect(node.chain.view.findTransaction(common.id)).toBeDefined();
    while (node.pool.size > 0) node.step();
    expect(node.chain.view.findTransaction(lost.id)).toBeDefined();
  });
});

describe("blocks that left the chain", () => {
  test("come back with a block that makes their branch the weightier one", () => {
    const node = nodeNamed("first");
    node.mineTo(5);
    const slow = copyOf(node, 5, "second");
    node.mineTo(7);
    const fast = copyOf(node, 7, "third");
    // Late blocks raise the base target: each of them weighs less.
    while (slow.height < 8) {
      slow.nowMs = (slow.miner.nextWakeMs(slow.nowMs) as number) + 200_000;
      slow.work();
    }
    node.nowMs = slow.nowMs;
    node.node.appendBranch(blocksOf(slow, 6));
    expect(node.height).toBe(8);
    fast.mineTo(8);
    node.node.append(fast.chain.stored.findBlock(8) as Block);
    expect(idsOf(blocksOf(node, 2))).toEqual(idsOf(blocksOf(fast, 2)));
    expect(heightsOfBranchBlocks(node)).toEqual([6, 7, 8]);
  });

  test("do not come back with a block that is not enough", () => {
    const { node, rival } = fork();
    const own = copyOf(node, 7, "third");
    node.node.appendBranch(blocksOf(rival, 6));
    own.mineTo(9);
    node.nowMs = Math.max(own.nowMs, node.nowMs);
    const [eighth, ninth] = blocksOf(own, 8) as [Block, Block];
    expect(faultOf(() => node.append(eighth))).toBe("branchNotBetter");
    expect(faultOf(() => node.append(ninth))).toBe("blockReferenceUnknown");
    expect(node.chain.stored.tip().id).toEqual(rival.chain.stored.tip().id);
  });

  test("are let go once they are too deep, and there are never more than 200 of them", () => {
    const { node, rival } = fork();
    node.node.appendBranch(blocksOf(rival, 6));
    expect(countBranchBlocks(node)).toBe(2);
    for (let height = 9; height < 130; height += 20) {
      node.mineTo(height + 20);
      node.chain.forks.revertTo(height + 19);
    }
    expect(heightsOfBranchBlocks(node).every((height) => height > node.chain.stored.finalizedHeight())).toBe(true);
    for (let round = 0; round < 3; round++) {
      const { height } = node;
      node.mineTo(height + 90);
      node.chain.forks.revertTo(height + 5);
    }
    expect(countBranchBlocks(node)).toBeLessThanOrEqual(200);
  });
});

test("a full block that leaves the chain is kept, though no value in SQLite may be longer than 2 MB", () => {
  const database = testDatabase();
  const { exec } = database;
  const lengths: number[] = [];
  database.exec = (query, ...bindings) => {
    for (const value of bindings) lengths.push(typeof value === "string" ? value.length : 0);
    return exec(query, ...bindings);
  };
  const node = nodeNamed("first", { database });
  node.mineTo(3);
  for (let count = 0; count < 7; count++) node.broadcast(signedData(BigInt(node.nowMs - count), count < 6 ? 5 : 2));
  while (node.pool.size > 0) node.step();
  const { height } = node;
  expect(node.chain.stored.tip().sizeBytes).toBeGreaterThan(1_000_000);
  node.mineTo(height + 1);
  node.chain.forks.revertTo(height - 1);
  expect(heightsOfBranchBlocks(node)).toEqual([height, height + 1]);
  expect(Math.max(...lengths)).toBeLessThan(2_000_000);
});

/** @param entries of 32,000 bytes each */
function signedData(timestamp: bigint, entries: number): DataTransaction {
  const data = Array.from({ length: entries }, (_, index) => ({
    key: `${timestamp}-${index}`,
    value: { type: "binary" as const, value: new Uint8Array(32_000) },
  }));
  const unsigned = buildTransaction({
    type: TransactionType.Data,
    version: 2,
    chainId: "R".charCodeAt(0),
    sender: richKey.publicKey,
    feeAsset: null,
    fee: 100_000_000n,
    timestamp,
    data,
    proofs: [],
  });
  return buildTransaction({
    ...unsigned,
    proofs: [sign(richKey.privateKey, unsigned.bodyBytes, secureRandomBytes(64))],
  });
}

function countBranchBlocks(node: SimulatedNode): number {
  return heightsOfBranchBlocks(node).length;
}

function heightsOfBranchBlocks({ node }: SimulatedNode): readonly number[] {
  return node.store.rows("SELECT height FROM branch_block").map(([height]) => Number(height));
}

describe("a chain that is taken back by hand", () => {
  test("goes no further than its finalized height, which never falls", () => {
    const node = nodeNamed("first");
    node.mineTo(150);
    expect(node.chain.stored.finalizedHeight()).toBe(50);
    expect(faultOf(() => node.chain.forks.revertTo(49))).toBe("rollbackTooDeep");
    node.chain.forks.revertTo(50);
    expect(node.height).toBe(50);
    expect(faultOf(() => node.chain.forks.revertTo(49))).toBe("rollbackTooDeep");
    expect(node.chain.forks.epoch()).toBe(0);
  });

  test("begins a new epoch where it is forced below it: final objects are final no more", () => {
    const node = nodeNamed("first");
    node.mineTo(150);
    node.chain.forks.revertTo(30, { isForced: true });
    expect([node.height, node.chain.forks.epoch(), node.chain.stored.finalizedHeight()]).toEqual([30, 1, 1]);
    node.mineTo(32);
    expect(node.chain.forks.epoch()).toBe(1);
  });

  test("stays as it is where there is nothing above the height", () => {
    const node = nodeNamed("first");
    node.mineTo(5);
    for (const height of [5, 6, 1_000]) expect(node.chain.forks.revertTo(height).hasChanged).toBe(false);
    expect(node.height).toBe(5);
  });

  test("keeps a final block that it ends with as it is: nothing takes its place, nothing extends or shortens it", () => {
    const node = nodeNamed("first");
    node.mineTo(49);
    const rival = copyOf(node, 49, "second");
    const inTime = node.miner.nextWakeMs(node.nowMs) as number;
    node.nowMs = inTime + 90_000;
    node.work();
    node.node.appendMicroBlock(microBlockOf(node));
    const tip = node.chain.stored.tip();
    expect([tip.height, tip.transactionCount]).toEqual([50, 1]);
    const keyBlock = node.chain.stored.liquidForms()[0]?.id as BlockId;
    node.mineTo(150);
    node.chain.forks.revertTo(50);
    rival.mineTo(50);
    const [competitor] = blocksOf(rival, 50) as [Block];
    expect(competitor.header.timestamp).toBeLessThan(tip.timestamp);
    expect(faultOf(() => node.append(competitor))).toBe("rollbackTooDeep");
    const onKeyBlock = { ...competitor, header: { ...competitor.header, reference: keyBlock } };
    expect(faultOf(() => node.append(onKeyBlock))).toBe("rollbackTooDeep");
    expect(faultOf(() => node.node.appendMicroBlock(microBlockOf(node)))).toBe("microBlockRefused");
    while (node.pool.size > 0) node.step();
    expect(node.chain.stored.rowAt(50)).toEqual(tip);
    expect(node.height).toBeGreaterThan(50);
  });
});

/** A micro-block that the node's own account could make now, of a transfer that its pool then has. */
function microBlockOf({ node, nowMs }: SimulatedNode): MicroBlock {
  const { chain, pool } = node;
  const { view, liquid } = chain;
  pool.add(signedTransfer({ timestamp: BigInt(nowMs) }), view, nowMs);
  const { run } = liquid.openMicroBlock({ verifySignatures: true });
  const facts = { view, liquid: liquid.block(), run, pool, account: richKey, maxTransactions: 1, nowMs };
  const { microBlock } = forgeMicroBlock({ ...facts, random: secureRandomBytes });
  if (microBlock === undefined) throw new Error("no micro-block was made");
  return microBlock;
}

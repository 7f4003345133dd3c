/**
 * Extensions of which one call can validate only a block or two. Progress is in the tables, across any events between
 * two calls.
 */
import { describe, expect, test } from "vitest";
import { BlockMaker, wrongStateHash } from "../../../scripts/tools/chain-maker/challenged-blocks.ts";
import type { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { walletKey } from "../pool/signed-transfer.ts";
import { followerOf, offered } from "./follower.ts";
import { type LongCalls, longCallNetwork, longCalls, nodeBefore } from "./long-calls.ts";

const BLOCKS = 5;
/** Less work than one call takes. */
const PORTION = 100;
const maker = new BlockMaker(secureRandomBytes);
const { chainId } = longCallNetwork;
const tables = [
  ...stateTables.map(({ name }) => name).filter((name) => name !== "micro_block"),
  "undo",
  "branch_block",
];
const key = walletKey(1);

/** Appends a block of its generator to the node's chain. */
function appended(node: SimulatedNode, transactions: readonly Transaction[] = []): Block {
  const block = maker.valid(node.chain, { key, transactions });
  node.append(block);
  return block;
}

/** Chain of blocks with a call each. */
function rivalOf(made: LongCalls): { readonly rival: SimulatedNode; readonly blocks: readonly Block[] } {
  const rival = nodeBefore(made);
  return { rival, blocks: made.transactions.map((call) => appended(rival, [call])) };
}

/** Validates an extension, with a reset before each call. @returns heights after each call, and the last result */
async function judgedWithResets(
  made: LongCalls,
  node: SimulatedNode,
  blocks: readonly Block[],
): Promise<{ readonly heights: readonly number[]; readonly answer: unknown; readonly node: SimulatedNode }> {
  const sent = offered(blocks.map((block) => encodeBlock(block, chainId)));
  const heights: number[] = [];
  for (let calls = 0; ; calls++) {
    const again = nodeBefore({ before: [], nowMs: made.nowMs }, node.database);
    const result = await followerOf(again, PORTION).calls.applyExtension({ ...sent, name: "x", isLast: true });
    heights.push(again.height);
    if (result !== "unfinished" || calls > 3 * BLOCKS) return { heights, answer: result, node: again };
  }
}

const tableNames = ({ database }: SimulatedNode): readonly string[] =>
  database.database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));

describe("an extension with more than a call may validate", () => {
  const made = longCalls({ bits: 2_560, keys: 1, calls: BLOCKS });
  const { rival, blocks } = rivalOf(made);

  test("on the tip is appended block by block", async () => {
    const { heights, answer, node } = await judgedWithResets(made, nodeBefore(made), blocks);
    expect(heights).toEqual(blocks.map((_, index) => made.before.length + 2 + index));
    expect(answer).toMatchObject({ kind: "applied" });
    expect(node.database.dump(tables)).toBe(rival.database.dump(tables));
  });

  test("that weighs less at first is in the chain once it weighs more, and no call validates a block again", async () => {
    const [own, whole] = [nodeBefore(made), nodeBefore(made)];
    for (let count = 1; count < BLOCKS; count++) whole.append(appended(own));
    const { height } = own;
    whole.node.appendBranch(blocks);
    const { heights, answer, node } = await judgedWithResets(made, own, blocks);
    expect(heights).toEqual([...Array(BLOCKS - 1).fill(height), height + 1]);
    expect(answer).toMatchObject({ kind: "applied" });
    expect(node.database.dump(tables)).toBe(whole.database.dump(tables));
    expect(tableNames(node)).not.toContain("finished_block");
  });

  test("that is refused while it weighs less leaves nothing behind", async () => {
    const own = nodeBefore(made);
    for (let count = 1; count < BLOCKS; count++) appended(own);
    const before = own.database.dump(tables);
    const behind = nodeBefore(made);
    for (const block of blocks.slice(0, -2)) behind.append(block);
    const [last, end] = made.transactions.slice(-2) as [Transaction, Transaction];
    const wrong = maker.unhashed(behind.chain.view, { key, transactions: [last], stateHash: wrongStateHash });
    behind.append(blocks.at(-2) as Block);
    const tip = maker.unhashed(behind.chain.view, { key, transactions: [end], reference: wrong.id });
    const { answer, node } = await judgedWithResets(made, own, [...blocks.slice(0, -2), wrong, tip]);
    expect(answer).toMatchObject({ kind: "refused", isInvalid: true, blockId: wrong.id });
    expect(node.database.dump(tables)).toBe(before);
    expect(tableNames(node)).not.toContain("finished_block");
  });
});

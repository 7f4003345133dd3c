/**
 * Extensions of which one call can validate only a block or two. Progress is in the tables, across any events between
 * two calls.
 */
import { describe, expect, test } from "vitest";
import type { KeyPair } from "../../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { signBlock } from "../../../../src/protocol/blocks/build-block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { maxForkDepth } from "../../../../src/rules/finality/finalized-height.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { BlockForger, wrongStateHash } from "../../../../verification/chain-generator/block-forger.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { followerOf, receivedBlocks } from "../../../support/builders/follower.ts";
import { type LongCalls, longCallNetwork, longCalls, nodeBefore } from "../../../support/builders/long-calls.ts";
import { walletKey } from "../../../support/builders/signed-transfer.ts";

const BLOCKS = 5;
/** Less work than one call takes. */
const SLICE_WORK = 100;
const forger = new BlockForger(secureRandomBytes);
const { chainId } = longCallNetwork;
const tables = [
  ...stateTables.map(({ name }) => name).filter((name) => name !== "micro_block"),
  "undo",
  "branch_block",
];
const key = walletKey(1);

/** Appends a block of its generator to the node's chain. */
function appended(node: SimulatedNode, transactions: readonly Transaction[] = []): Block {
  const block = forger.valid(node.chain, { key, transactions });
  node.append(block);
  return block;
}

function blocksAbove({ chain }: SimulatedNode, height: number): readonly Block[] {
  const count = chain.view.height - height;
  return Array.from({ length: count }, (_, index) => chain.stored.findBlock(height + 1 + index) as Block);
}

/** Chain of blocks with a call each. */
function rivalOf(made: LongCalls): { readonly rival: SimulatedNode; readonly blocks: readonly Block[] } {
  const rival = nodeBefore(made);
  return { rival, blocks: made.transactions.map((call) => appended(rival, [call])) };
}

/** Another instance on the node's storage, as after a reset. */
function resetOf({ nowMs }: LongCalls, { database }: SimulatedNode): SimulatedNode {
  return nodeBefore({ before: [], nowMs }, database);
}

function sentAs(name: string, blocks: readonly Block[]) {
  return { ...receivedBlocks(blocks.map((block) => encodeBlock(block, chainId))), name, isLast: true };
}

/** Height of the candidate's tip; undefined: no candidate. */
function candidateHeight({ database: { database } }: SimulatedNode): number | undefined {
  if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'candidate_block'").get() === undefined)
    return undefined;
  const [own, chain] = [
    "candidate_block WHERE is_gone = 0",
    "block WHERE height NOT IN (SELECT height FROM candidate_block)",
  ].map((from) => Number(database.prepare(`SELECT MAX(height) AS height FROM ${from}`).get()?.["height"] ?? 0)) as [
    number,
    number,
  ];
  return Math.max(own, chain);
}

interface Judged {
  /** Height of the chain after each call. */
  readonly heights: readonly number[];
  /** Height of the candidate after each call. */
  readonly candidates: readonly (number | undefined)[];
  readonly result: unknown;
  readonly node: SimulatedNode;
}

/** Validates an extension, with a reset before each call. @param calls at most */
async function validatedWithResets(
  made: LongCalls,
  node: SimulatedNode,
  blocks: readonly Block[],
  calls = 4 * BLOCKS,
): Promise<Judged> {
  const heights: number[] = [];
  const candidates: (number | undefined)[] = [];
  for (;;) {
    const again = resetOf(made, node);
    const result = await followerOf(again, SLICE_WORK).calls.applyExtension(sentAs("x", blocks));
    heights.push(again.height);
    candidates.push(candidateHeight(again));
    if (result !== "unfinished" || heights.length === calls) return { heights, candidates, result, node: again };
  }
}

/** Validates the extension until the candidate has `count` of its blocks. */
async function judgedUpTo(
  made: LongCalls,
  node: SimulatedNode,
  blocks: readonly Block[],
  count: number,
): Promise<void> {
  const { database } = node.database;
  const isThere = () =>
    candidateHeight(node) !== undefined &&
    database.prepare("SELECT 1 FROM candidate_block WHERE id = ?").get((blocks[count - 1] as Block).id) !== undefined;
  for (let calls = 0; !isThere(); calls++) {
    expect(calls).toBeLessThan(4 * BLOCKS);
    await validatedWithResets(made, node, blocks, 1);
  }
}

/** The block with another generator, signed by it. */
function resigned({ header, transactions }: Block, { privateKey, publicKey }: KeyPair): Block {
  return signBlock({
    header: { ...header, generator: publicKey },
    transactions,
    privateKey,
    chainId,
    random: secureRandomBytes,
  });
}

/** Node with one block less than the branch. */
function rivalled(made: LongCalls): SimulatedNode {
  const own = nodeBefore(made);
  for (let count = 1; count < BLOCKS; count++) appended(own);
  return own;
}

describe("an extension with more than a call may validate", () => {
  const made = longCalls({ bits: 2_560, keys: 1, calls: BLOCKS });
  const { rival, blocks } = rivalOf(made);
  const root = made.before.length + 1;

  test("on the tip is appended block by block", async () => {
    const { heights, result, node } = await validatedWithResets(made, nodeBefore(made), blocks);
    expect(heights).toEqual(blocks.map((_, index) => root + 1 + index));
    expect(result).toMatchObject({ kind: "applied" });
    expect(node.database.dump(tables)).toBe(rival.database.dump(tables));
  });

  test("that weighs less at first is in the chain once it weighs more, and no call validates a block again", async () => {
    const own = rivalled(made);
    const whole = nodeBefore(made);
    for (const block of blocksAbove(own, root)) whole.append(block);
    const { height } = own;
    whole.node.appendBranch(blocks);
    const { heights, candidates, result, node } = await validatedWithResets(made, own, blocks);
    expect([...new Set(heights)]).toEqual([height, height + 1]);
    expect(result).toMatchObject({ kind: "applied" });
    expect(node.database.dump(tables)).toBe(whole.database.dump(tables));
    // The candidate rolls back to the root of the branch, then grows by a block in each call.
    const lowest = candidates.indexOf(root);
    expect(candidates.slice(lowest)).toEqual([root, ...blocks.map((_, index) => root + 1 + index), undefined]);
  });

  test("that is refused while it weighs less leaves the chain as it was, and its valid blocks stay validated", async () => {
    const own = rivalled(made);
    const before = own.database.dump(tables);
    const behind = nodeBefore(made);
    for (const block of blocks.slice(0, -2)) behind.append(block);
    const [last, end] = made.transactions.slice(-2) as [Transaction, Transaction];
    const wrong = forger.unhashed(behind.chain.view, { key, transactions: [last], stateHash: wrongStateHash });
    behind.append(blocks.at(-2) as Block);
    const tip = forger.unhashed(behind.chain.view, { key, transactions: [end], reference: wrong.id });
    const { result, node } = await validatedWithResets(made, own, [...blocks.slice(0, -2), wrong, tip]);
    expect(result).toMatchObject({ kind: "refused", isInvalid: true, blockId: wrong.id });
    expect(node.database.dump(tables)).toBe(before);
    const right = await validatedWithResets(made, node, blocks);
    expect(right.result).toMatchObject({ kind: "applied" });
    expect(right.candidates).toEqual([root + BLOCKS - 1, root + BLOCKS, undefined]);
  });

  test("continues where it was, although the chain changes meanwhile", async () => {
    const own = rivalled(made);
    const whole = nodeBefore(made);
    for (const block of blocksAbove(own, root)) whole.append(block);
    await judgedUpTo(made, own, blocks, 2);
    const more = resetOf(made, own);
    for (const node of [more, whole]) node.chain.forks.revertTo(own.height - 1);
    const replaced = appended(more, [made.transactions[0] as Transaction]);
    whole.append(replaced);
    whole.node.appendBranch(blocks);
    const { candidates, result, node } = await validatedWithResets(made, own, blocks);
    expect(result).toMatchObject({ kind: "applied" });
    expect(Math.min(...candidates.map((height = root + BLOCKS) => height))).toBe(root + 2);
    expect(node.database.dump(tables)).toBe(whole.database.dump(tables));
  });

  test("is dropped when the chain goes back below its root", async () => {
    const own = rivalled(made);
    await judgedUpTo(made, own, blocks, 2);
    const back = resetOf(made, own);
    back.chain.forks.revertTo(root - 1);
    expect(candidateHeight(back)).toBeUndefined();
  });

  test("is dropped for another branch once undo records of the chain's changes are gone", async () => {
    const own = rivalled(made);
    await judgedUpTo(made, own, blocks, 2);
    const more = resetOf(made, own);
    for (let count = 0; count < 3; count++) appended(more);
    const [whole, other] = [nodeBefore(made), nodeBefore(made)];
    for (const block of blocksAbove(more, root)) whole.append(block);
    for (const block of blocksAbove(more, root).slice(0, -1)) other.append(block);
    const others = made.transactions.slice(0, 2).map((call) => appended(other, [call]));
    for (const node of [more, whole]) node.node.store.prune(node.height);
    whole.node.appendBranch(others);
    const { result, node } = await validatedWithResets(made, more, others);
    expect(result).toMatchObject({ kind: "applied" });
    expect(node.database.dump(tables)).toBe(whole.database.dump(tables));
  });

  test("is dropped once it begins too low", async () => {
    const own = rivalled(made);
    await judgedUpTo(made, own, blocks, 2);
    const node = resetOf(made, own);
    for (let count = node.height; count < root + maxForkDepth; count++) appended(node);
    expect(candidateHeight(node)).toBeDefined();
    for (let count = 0; count < 2; count++) appended(node);
    expect(candidateHeight(node)).toBeUndefined();
  });

  describe("loses nothing", () => {
    const stranger = walletKey(7);
    const whileJudged = async (run: (own: SimulatedNode) => Promise<void>): Promise<void> => {
      const own = rivalled(made);
      await judgedUpTo(made, own, blocks, 3);
      await run(own);
      expect(candidateHeight(own)).toBe(root + 3);
      const { candidates, result } = await validatedWithResets(made, own, blocks);
      expect(result).toMatchObject({ kind: "applied" });
      expect(candidates).toEqual([root + 4, root + 5, undefined]);
    };
    const judge = (own: SimulatedNode, some: readonly Block[]) =>
      followerOf(resetOf(made, own), SLICE_WORK).calls.applyExtension(sentAs("y", some));

    test("by a branch with the same first blocks and then a block whose generator has no stake", () =>
      whileJudged(async (own) => {
        for (const count of [1, 2, BLOCKS - 1]) {
          const wrong = resigned(blocks[count] as Block, stranger);
          const weight = BigInt(wrong.header.baseTarget);
          // Claims a thousand times the weight.
          const heavy = resigned({ ...wrong, header: { ...wrong.header, baseTarget: weight / 1_000n } }, stranger);
          expect(await judge(own, [...blocks.slice(0, count), heavy])).toMatchObject({
            kind: "refused",
            isInvalid: true,
          });
        }
      }));

    test("by a branch in the name of a generator that has not signed it", () =>
      whileJudged(async (own) => {
        for (const count of [0, 1, BLOCKS - 1]) {
          const block = blocks[count] as Block;
          const header = { ...block.header, baseTarget: block.header.baseTarget / 1_000n };
          const forged = { ...resigned({ ...block, header }, key), signature: block.signature };
          expect(await judge(own, [...blocks.slice(0, count), forged])).toMatchObject({
            kind: "refused",
            reason: expect.stringContaining("invalid signature"),
          });
        }
      }));

    test("by a header without stake after its first block, which the chain keeps beside it", async () => {
      const own = nodeBefore(made);
      own.append(blocks[0] as Block);
      own.node.appendBranch(blocksAbove(rivalled(made), root));
      await judgedUpTo(made, own, blocks, 3);
      const { calls } = followerOf(resetOf(made, own), SLICE_WORK);
      for (const divisor of [1n, 1_000n]) {
        const { header, transactions } = blocks[1] as Block;
        const header2 = { ...header, baseTarget: header.baseTarget / divisor };
        const sent = resigned({ ...(blocks[1] as Block), header: header2, transactions }, stranger);
        expect(await calls.applyBlock(receivedBlocks([encodeBlock(sent, chainId)]))).toMatchObject({ kind: "refused" });
      }
      expect(candidateHeight(own)).toBe(root + 3);
    });

    test("by another branch of a generator, while calls continue it", () =>
      whileJudged(async (own) => {
        const other = nodeBefore(made);
        const others = made.transactions.toReversed().map((call) => appended(other, [call]));
        const reason = "another branch is being validated";
        expect(await judge(own, others)).toMatchObject({ kind: "refused", reason, isInvalid: false });
      }));
  });

  test("gives way to another branch after ten minutes without a call", async () => {
    const own = rivalled(made);
    await judgedUpTo(made, own, blocks, 3);
    const other = nodeBefore(made);
    const others = made.transactions.toReversed().map((call) => appended(other, [call]));
    const later = { ...made, nowMs: made.nowMs + 600_000 };
    const { result, node } = await validatedWithResets(later, own, others);
    expect(result).toMatchObject({ kind: "applied" });
    expect(node.chain.stored.tip().id).toEqual(others.at(-1)?.id);
  });
});

test("a block on blocks that left the chain is put off if it takes more than one call", async () => {
  const made = longCalls({ bits: 2_560, keys: 1, calls: 2 });
  const { blocks } = rivalOf(made);
  const own = nodeBefore(made);
  own.append(blocks[0] as Block);
  const other = nodeBefore(made);
  own.node.appendBranch([appended(other), appended(other)]);
  const heavy = blocks[1] as Block;
  const { calls } = followerOf(own, SLICE_WORK);
  expect(await calls.applyBlock(receivedBlocks([encodeBlock(heavy, chainId)]))).toMatchObject({ kind: "refused" });
  expect(candidateHeight(own)).toBeUndefined();
});

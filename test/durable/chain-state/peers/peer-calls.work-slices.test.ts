/** Blocks of other nodes that take longer than a call of ChainState may. */
import { describe, expect, test } from "vitest";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { buildMicroBlock } from "../../../../src/protocol/blocks/liquid-block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { encodeMicroBlock } from "../../../../src/protocol/messages/micro-block.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { wrongStateHash } from "../../../../verification/chain-generator/block-forger.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { followerOf, receivedBlocks } from "../../../support/builders/follower.ts";
import { longCallNetwork, longCalls, nodeBefore } from "../../../support/builders/long-calls.ts";
import { walletKey } from "../../../support/builders/signed-transfer.ts";

const { chainId } = longCallNetwork;
const KEYS = 4;
const WORK = { bits: 2_560, keys: KEYS };
/** Less work than one power with such a key takes. */
const SLICE_WORK = 100;
const tables = stateTables.map(({ name }) => name).filter((name) => name !== "micro_block");

const hasJudgedParts = ({ database: { database } }: SimulatedNode): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'judged_part'").get() !== undefined;

const storedResults = ({ database }: SimulatedNode): number | undefined => {
  const { database: sqlite } = database;
  if (sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'step_result'").get() === undefined) return undefined;
  return Number(sqlite.prepare("SELECT COUNT(*) AS n FROM step_result").get()?.["n"]);
};

describe("a block with a call that takes many slices", () => {
  test.each([
    ["by itself", "block"],
    ["in an extension", "extension"],
  ])("%s is accepted, and results from before a reset are not computed again", async (_, send) => {
    const made = longCalls(WORK);
    const whole = nodeBefore(made);
    whole.append(made.block);
    const node = nodeBefore(made);
    let calls = followerOf(node, SLICE_WORK).calls;
    const sent = receivedBlocks([encodeBlock(made.block, chainId)]);
    const validate = () =>
      send === "block" ? calls.applyBlock(sent) : calls.applyExtension({ ...sent, name: "x", isLast: true });
    const results: unknown[] = [];
    const stored: unknown[] = [];
    do {
      results.push(await validate());
      stored.push(storedResults(node));
      // New instance on the same storage, as after a reset.
      if (results.length === 2)
        calls = followerOf(nodeBefore({ before: [], nowMs: made.nowMs }, node.database), SLICE_WORK).calls;
    } while (results.at(-1) === "unfinished");
    expect(results).toEqual([...Array(KEYS - 1).fill("unfinished"), expect.objectContaining({ kind: "applied" })]);
    // One more each time: a second result of a step would have the key of the first.
    expect(stored).toEqual([1, 2, 3, undefined]);
    expect(node.database.dump(tables)).toBe(whole.database.dump(tables));
  });

  test("that is refused in the end leaves no results behind", async () => {
    const made = longCalls(WORK, { stateHash: wrongStateHash });
    const node = nodeBefore(made);
    const before = node.database.dump(tables);
    const { calls } = followerOf(node, SLICE_WORK);
    const sent = receivedBlocks([encodeBlock(made.block, chainId)]);
    const validate = () => calls.applyExtension({ ...sent, name: "x", isLast: true });
    for (let call = 1; call < KEYS; call++) expect(await validate()).toBe("unfinished");
    expect(hasJudgedParts(node)).toBe(true);
    const reason = expect.stringContaining("State hash is");
    expect(await validate()).toMatchObject({ kind: "refused", reason, isInvalid: true });
    expect([storedResults(node), hasJudgedParts(node)]).toEqual([undefined, false]);
    expect(node.database.dump(tables)).toBe(before);
  });

  test("continues, however many other blocks come between its calls", async () => {
    const made = longCalls(WORK);
    const node = nodeBefore(made);
    const sent = receivedBlocks([encodeBlock(made.block, chainId)]);
    const other = receivedBlocks([encodeBlock(made.wrong, chainId)]);
    for (let call = 1; call < KEYS; call++) {
      // After a reset memory has nothing of it.
      const { calls } = followerOf(node, SLICE_WORK);
      expect(await calls.applyExtension({ ...other, name: "x", isLast: true })).toMatchObject({ kind: "refused" });
      expect(await calls.applyBlock(sent)).toBe("unfinished");
      expect(storedResults(node)).toBe(call);
    }
    expect(await followerOf(node, SLICE_WORK).calls.applyBlock(sent)).toMatchObject({ kind: "applied" });
  });
});

test("a micro-block that takes many slices is accepted", async () => {
  const made = longCalls(WORK);
  const [node, whole] = [nodeBefore(made), nodeBefore(made)];
  for (const each of [node, whole]) each.append(made.empty);
  const sent = made.microBlock();
  whole.node.appendMicroBlock(sent);
  const { calls } = followerOf(node, SLICE_WORK);
  const microBlock = encodeMicroBlock(sent);
  for (let call = 1; call < KEYS; call++) expect(await calls.applyMicroBlock(microBlock)).toBe("unfinished");
  expect(await calls.applyMicroBlock(microBlock)).toMatchObject({ kind: "applied" });
  expect(storedResults(node)).toBeUndefined();
  expect(node.chain.stored.tip()).toEqual(whole.chain.stored.tip());
});

test("a micro-block that names another one's total id leaves nothing behind for that one", async () => {
  const made = longCalls({ bits: 2_560, keys: 1, calls: 3 });
  const [node, clean] = [nodeBefore(made), nodeBefore(made)];
  for (const each of [node, clean]) each.append(made.empty);
  const { liquid } = clean.chain;
  const microBlockOf = (transactions: readonly Transaction[]) => {
    const { run } = liquid.openMicroBlock({ verifySignatures: true });
    for (const transaction of transactions) run.add(transaction);
    const extension = { transactions, stateHash: run.stateHash, finalizationVoting: undefined };
    const { privateKey } = walletKey(1);
    return buildMicroBlock({ liquid: liquid.block(), extension, privateKey, chainId, random: secureRandomBytes })
      .microBlock;
  };
  const [first, second] = made.transactions as [Transaction, Transaction];
  const honest = microBlockOf([second]);
  const trap = { ...microBlockOf([first, second]), totalBlockId: honest.totalBlockId };
  const [calls, others] = [followerOf(node, SLICE_WORK).calls, followerOf(clean).calls];
  expect(await calls.applyMicroBlock(encodeMicroBlock(trap))).toBe("unfinished");
  let result: unknown = "unfinished";
  while (result === "unfinished") result = await calls.applyMicroBlock(encodeMicroBlock(honest));
  expect(result).toMatchObject({ kind: "applied" });
  await others.applyMicroBlock(encodeMicroBlock(honest));
  expect(node.chain.stored.findBlock(node.height)?.transactions.map(({ id }) => id)).toEqual([second.id]);
  expect(node.database.dump(tables)).toBe(clean.database.dump(tables));
});

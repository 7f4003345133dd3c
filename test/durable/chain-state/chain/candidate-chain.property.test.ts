/** Branches validated in portions while the chain continues: the result equals that of a single call. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openChain } from "../../../../durable/chain-state/chain/open-chain.ts";
import { d1Sink } from "../../../../durable/chain-state/publish/read-model-sink.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import type { Unfinished, ValidationResult } from "../../../../src/rpc/chain-for-peers.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { chainVariants } from "../../../../verification/chain-generator/generated-network.ts";
import { countMoney } from "../../../../verification/simulation/conserved-money.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { readModelDifferences } from "../../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../../verification/sqlite/d1-double.ts";
import { followerOf, receivedBlocks } from "../../../support/builders/follower.ts";
import { type Move, RandomChain } from "../../../support/builders/random-chain.ts";

/** Undo entry of a form of the tip; its time of arrival differs. */
const RECORD_OF_FORM = /\[1,\[(\d+,\d+)\],\[[^\]]*\]\]/g;
const tables = [
  ...stateTables.map(({ name }) => name).filter((name) => name !== "micro_block"),
  "undo",
  "branch_block",
];
const metaNames = ["storedTipHeight", "finalizedHeight"];

const small: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("transactions"), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("microBlock") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("competitor") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("challenge") }) },
);
const keyBlock: fc.Arbitrary<Move> = fc.record({
  kind: fc.constant("keyBlock"),
  generator: fc.nat({ max: 3 }),
  dropped: fc.oneof(fc.constant(0), fc.nat({ max: 3 })),
});
/** Some moves and a key block. */
const round = fc.tuple(fc.array(small, { maxLength: 3 }), keyBlock).map(([moves, last]) => [...moves, last]);

const scenario = fc.record(
  {
    variant: fc.constantFrom(...chainVariants),
    seed: fc.nat(),
    before: fc.array(round, { maxLength: 2 }),
    ours: fc.array(round, { minLength: 2, maxLength: 3 }),
    theirs: fc.array(round, { minLength: 5, maxLength: 6 }),
    /** Events between two calls. */
    meanwhile: fc.array(
      fc.record({
        moves: fc.array(fc.oneof({ weight: 6, arbitrary: small }, { weight: 1, arbitrary: keyBlock }), {
          maxLength: 2,
        }),
        isReset: fc.boolean(),
        drains: fc.boolean(),
      }),
      { minLength: 4, maxLength: 16 },
    ),
  },
  { noNullPrototype: true },
);

function blocksAbove({ chain }: SimulatedNode, height: number): readonly Block[] {
  const count = chain.view.height - height;
  return Array.from({ length: count }, (_, index) => chain.stored.findBlock(height + 1 + index) as Block);
}

/** Rows of the tables and stored values about the tip. */
function stateOf(store: StateStore, { database }: SimulatedNode): string {
  store.flush();
  const rows = database.dump(tables).replace(RECORD_OF_FORM, "[$1]");
  return `${metaNames.map((name) => store.findMeta(name)).join()}\n${rows}`;
}

/** State after the branch is applied in one call; the chain itself is unchanged. */
function stateInOneGo({ node, settings }: RandomChain, blocks: readonly Block[]): string {
  const { database, nowMs, chain } = node;
  const undone = new Error("undone");
  let state = "";
  try {
    database.transaction(() => {
      const store = new StateStore(database);
      const { maxRollbackDepth } = settings.node;
      const { transaction } = database;
      const facts = { store, settings: chain.view.settings, transaction, maxRollbackDepth, storage: settings.node };
      openChain(facts).forks.appendBranch(blocks, { nowMs, verifySignatures: true });
      state = stateOf(store, node);
      throw undone;
    });
  } catch (error) {
    if (error !== undone) return String(error);
  }
  return state;
}

/** Whether the next call may append blocks of a branch to the chain. */
function mayLand({ database, chain }: SimulatedNode): boolean {
  const { database: sqlite } = database;
  const hasCandidate = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'candidate_block'").get() !== undefined;
  if (!hasCandidate) return true;
  const scores = sqlite.prepare("SELECT score FROM candidate_block WHERE is_gone = 0").all();
  return scores.some(({ score }) => BigInt(String(score)) > chain.stored.tip().score);
}

test("a branch in portions comes to what it comes to in one go, whatever the chain does meanwhile", async () => {
  let landed = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ variant, seed, before, theirs, ours, meanwhile }) => {
      // Equal moves make equal blocks.
      const rival = new RandomChain(variant, seed);
      const { d1, sqlite: readModel } = d1Double();
      const chain = new RandomChain(variant, seed, { readModel: d1Sink(d1) });
      for (const move of before.flat()) for (const each of [rival, chain]) each.run(move);
      const root = chain.node.height;
      for (const move of theirs.flat()) rival.run(move);
      for (const move of ours.flat()) chain.run(move);
      chain.node.nowMs = Math.max(chain.node.nowMs, rival.node.nowMs);
      const blocks = blocksAbove(rival.node, root - 1);
      const isInChain = ({ id }: Block) => chain.node.chain.view.findHeightOf(id) !== undefined;
      const first = blocks.find((block) => !isInChain(block));
      const hasLanded = () => first !== undefined && isInChain(first);
      const { chainId } = chain.node.chain.view.settings;
      const sent = { ...receivedBlocks(blocks.map((block) => encodeBlock(block, chainId))), name: "x", isLast: true };
      let { calls } = followerOf(chain.node, 1);
      let answer: ValidationResult | "more" | Unfinished = "unfinished";
      let inOneGo = "";
      for (let count = 0; answer === "unfinished"; count++) {
        expect(count).toBeLessThan(500);
        const { moves = [], isReset = false, drains = false } = meanwhile[count] ?? {};
        // After a part of the branch has landed, the moves would no longer fit the chain.
        if (!hasLanded()) for (const move of moves) chain.run(move);
        // An ended process publishes nothing.
        if (drains || isReset) await chain.node.node.drain();
        if (mayLand(chain.node)) inOneGo = stateInOneGo(chain, blocks);
        if (isReset) {
          chain.restart();
          calls = followerOf(chain.node, 1).calls;
        }
        answer = await calls.applyExtension(sent);
      }
      if (answer === "more" || answer.kind !== "applied") return;
      expect(stateOf(chain.node.node.store, chain.node)).toBe(inOneGo);
      const { found, expected } = countMoney(chain.node.chain, chain.node.database);
      // Orders of features that only a custom network can have, and cancels of canceled leases, change the sums: there
      // the chain of the node that made the blocks is the measure.
      const straight = countMoney(rival.node.chain, rival.node.database).found;
      expect(found).toEqual(straight);
      if (variant !== "shuffled") expect(found).toEqual(expected);
      await chain.node.node.drain();
      expect(readModelDifferences(chain.node.database.database, readModel)).toEqual([]);
      landed += 1;
    }),
    { numRuns: 30, interruptAfterTimeLimit: 30_000, markInterruptAsFailure: false },
  );
  expect(landed).toBeGreaterThan(0);
});

/** Blocks validated one transaction per call, with a reset of the object before each call: no result is lost. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { type ChainVariant, chainVariants } from "../../../../verification/chain-generator/generated-network.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { followerOf, receivedBlocks } from "../../../support/builders/follower.ts";
import { type Move, RandomChain } from "../../../support/builders/random-chain.ts";

const tables = stateTables.map(({ name }) => name);
/** Portion with which a call ends at its first new result. */
const NOTHING = -1;

const round = (count: number, generator: number): readonly Move[] => [
  { kind: "keyBlock", generator, dropped: 0 },
  { kind: "transactions", count },
  { kind: "microBlock" },
];

/** @param last moves at the end */
function madeChain(variant: ChainVariant, seed: number, counts: readonly number[], last: readonly Move[]): RandomChain {
  const chain = new RandomChain(variant, seed);
  for (const move of counts.flatMap((count, index) => round(count, index % 4))) chain.run(move);
  for (const move of last) chain.run(move);
  return chain;
}

/** @returns number of calls that the block took */
async function judgedWithResets(chain: RandomChain, node: SimulatedNode, block: Block): Promise<number> {
  const { chainId } = node.chain.view.settings;
  const { blockchain, node: settings } = chain.settings;
  const sent = receivedBlocks([encodeBlock(block, chainId)]);
  for (let calls = 1; ; calls++) {
    const { database, nowMs } = node;
    const again = new SimulatedNode({ blockchain, node: settings, database, startMs: nowMs });
    const answer = await followerOf(again, NOTHING).calls.applyBlock(sent);
    if (answer === "unfinished") continue;
    expect(answer).toMatchObject({ kind: "applied" });
    return calls;
  }
}

async function expectSame(chain: RandomChain): Promise<void> {
  const { chain: made, nowMs } = chain.node;
  const [whole, inPart] = [chain.emptyNode(), chain.emptyNode()];
  for (const node of [whole, inPart]) node.nowMs = nowMs;
  let node: SimulatedNode = inPart;
  for (let height = 2; height <= made.view.height; height++) {
    const block = made.stored.findBlock(height) as Block;
    whole.append(block);
    const calls = await judgedWithResets(chain, inPart, block);
    const challenged = block.header.challengedHeader === undefined ? 0 : block.transactions.length + 1;
    // One more call finds that the block is complete; the same holds for a challenged block.
    expect(calls).toBeLessThanOrEqual(block.transactions.length + challenged + 1);
    const { database } = inPart;
    const { blockchain, node: settings } = chain.settings;
    node = new SimulatedNode({ blockchain, node: settings, database, startMs: nowMs });
    expect(node.database.dump(tables)).toBe(whole.database.dump(tables));
  }
  expect(node.chain.stored.tip().id).toEqual(made.stored.tip().id);
}

test("a random block comes to the same, and takes no more calls than it has transactions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...chainVariants), fc.nat(), async (variant, seed) => {
      await expectSame(madeChain(variant, seed, [5, 7, 4], [{ kind: "keyBlock", generator: 0, dropped: 0 }]));
    }),
    { numRuns: 5, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  );
});

test("so does a block that challenges another one", async () => {
  const chain = madeChain("active", 2, [4, 6], [{ kind: "challenge" }]);
  expect(chain.node.chain.stored.findBlock(chain.node.height)?.header.challengedHeader).toBeDefined();
  await expectSame(chain);
});

import { expect, test } from "vitest";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { coverageOf } from "../../../verification/chain-generator/coverage.ts";
import { forgeChain } from "../../../verification/chain-generator/forge-chain.ts";
import { chainVariants } from "../../../verification/chain-generator/generated-network.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";

test.each(chainVariants)("a made chain of variant %s is valid for a node that did not make it", (variant) => {
  const made = forgeChain({ variant, seed: 1, blocks: 14 });
  const { blockchain } = made.network.settings;
  const tipMs = Number(made.blocks.at(-1)?.header.timestamp);
  const other = new SimulatedNode({ blockchain, startMs: tipMs });
  for (const block of made.blocks) other.append(parseBlock(encodeBlock(block, blockchain.chainId), blockchain.chainId));
  expect(other.chain.view.height).toBe(14);
  expect(other.chain.stored.tip().id).toEqual(made.blocks.at(-1)?.id);
  expect(other.chain.stored.tip().stateHash).toEqual(made.node.chain.view.findStateHash(14));
});

test("a made chain with challenges is valid for others, and has transactions that are elided", () => {
  const made = forgeChain({ variant: "active", seed: 2, blocks: 16, challenges: 2 });
  expect(made.challenges).toBe(2);
  const challenging = made.blocks.filter(({ header }) => header.challengedHeader !== undefined);
  expect(challenging.map(({ header }) => header.reference)).toEqual(
    [11, 15].map((height) => made.blocks[height - 3]?.id),
  );
  const { blockchain } = made.network.settings;
  const other = new SimulatedNode({ blockchain, startMs: made.node.nowMs });
  for (const block of made.blocks) other.append(parseBlock(encodeBlock(block, blockchain.chainId), blockchain.chainId));
  expect(other.chain.stored.tip().stateHash).toEqual(made.node.chain.view.findStateHash(16));
  for (const { transactions } of challenging) {
    const statuses = transactions.map(({ id }) => other.chain.view.findTransaction(id)?.status);
    expect(statuses.slice(-2)).toEqual(["elided", "elided"]);
  }
});

test("the same seed gives the same transactions", () => {
  const [first, second] = [1, 1].map((seed) => forgeChain({ variant: "active", seed, blocks: 6 }));
  const idsOf = (chain: typeof first) => chain?.blocks.flatMap(({ transactions }) => transactions.map(({ id }) => id));
  expect(idsOf(first)?.slice(0, 20)).toEqual(idsOf(second)?.slice(0, 20));
  const view = first?.node.chain.view;
  expect(Object.keys(view ? coverageOf(first.blocks, view) : {}).length).toBeGreaterThan(3);
});

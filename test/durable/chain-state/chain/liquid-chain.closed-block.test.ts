/**
 * Effects of the next key block on the tip: its micro-blocks are deleted, and the tree of its transactions is stored.
 */
import { describe, expect, test } from "vitest";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { Feature } from "../../../../src/network/features.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { transactionsTree } from "../../../../src/protocol/blocks/transactions-root.ts";
import { microBlockTable } from "../../../../src/tables/blocks.ts";
import { transactionTreeRow, transactionTreeTable } from "../../../../src/tables/transaction-trees.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { blocksOf, nodeNamed } from "../../../support/builders/forked-nodes.ts";
import { chainOfThree, networkOf } from "../../../support/builders/next-block.ts";
import { poorKey, richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";

const { chainId } = privateNetwork.blockchain;
const formsIn = ({ node }: SimulatedNode) =>
  node.store.query(microBlockTable, "ORDER BY height, position").map(({ height, position }) => [height, position]);
const treesIn = ({ node }: SimulatedNode) => node.store.query(transactionTreeTable, "ORDER BY height");

/** Node at height 3 whose tip has two micro-blocks. */
function nodeWithMicroBlocks(): SimulatedNode {
  const node = nodeNamed("first");
  node.mineTo(3);
  node.nowMs = Number(node.chain.stored.tip().timestamp);
  for (const amount of [1n, 2n]) {
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), amount }));
    while (node.pool.size > 0) node.step();
  }
  return node;
}

describe("the next key block", () => {
  test("keeps the forms of its own height, and stores the tree over all transactions below it", () => {
    const node = nodeWithMicroBlocks();
    expect(formsIn(node)).toEqual([0, 1, 2].map((position) => [3, position]));
    expect(treesIn(node)).toEqual([]);
    node.mineTo(4);
    const { transactions } = node.chain.stored.findBlock(3) as Block;
    expect(transactions).toHaveLength(2);
    expect(formsIn(node)).toEqual([[4, 0]]);
    expect(treesIn(node)).toEqual([transactionTreeRow(3, transactionsTree(transactions))]);
    node.chain.forks.revertTo(3);
    expect(formsIn(node)).toEqual([0, 1, 2].map((position) => [3, position]));
    expect(treesIn(node)).toEqual([]);
  });

  test("has the same effects for whole blocks, one by one or in a batch", () => {
    const maker = nodeWithMicroBlocks();
    maker.mineTo(5);
    const blocks = blocksOf(maker, 2);
    const [single, batched] = ["second", "third"].map((name) => Object.assign(nodeNamed(name), { nowMs: maker.nowMs }));
    for (const block of blocks) single?.append(block);
    const { forks } = (batched as SimulatedNode).chain;
    const context = { nowMs: maker.nowMs, verifySignatures: true };
    forks.inBatch(() => {
      for (const block of blocks) forks.appendBlock(block, context);
    });
    for (const node of [single, batched] as SimulatedNode[]) {
      expect(formsIn(node)).toEqual([[5, 0]]);
      expect(treesIn(node)).toEqual(treesIn(maker));
    }
  });

  test("stores no tree before block version 5", () => {
    const node = chainOfThree(networkOf(Feature.BlockReward));
    node.nowMs = Number(node.chain.stored.tip().timestamp);
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), version: 2 }));
    while (node.pool.size > 0) node.step();
    expect(node.chain.stored.tip().transactionCount).toBe(1);
    node.mineTo(node.height + 1);
    expect(treesIn(node)).toEqual([]);
    const whole = chainOfThree(networkOf(Feature.BlockReward));
    whole.nowMs = node.nowMs;
    whole.chain.forks.revertTo(1);
    for (const block of blocksOf(node, 2)) whole.append(block);
    expect(whole.chain.stored.tip()).toEqual(node.chain.stored.tip());
    expect(treesIn(whole)).toEqual([]);
  });
});

test("before sponsorship the next generator gets the rest of the fees, transaction by transaction", () => {
  const node = chainOfThree(networkOf(Feature.FeeSponsorship - 1));
  const sumOf = () =>
    [richKey, poorKey].reduce(
      (sum, { publicKey }) => sum + node.chain.view.balance(addressOfPublicKey(publicKey, chainId), null),
      0n,
    );
  const before = sumOf();
  node.nowMs = Number(node.chain.stored.tip().timestamp);
  node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), version: 2 }));
  while (node.pool.size > 0) node.step();
  expect(sumOf()).toBe(before - 60_000n);
  node.mineTo(node.height + 1);
  expect(sumOf()).toBe(before);
});

/** Trees of transactions: every block of version 5 with a successor has one; the tip has none. */
import { expect, test } from "vitest";
import { EMPTY_MERKLE_TREE } from "../../src/crypto/merkle.ts";
import { platformLimits } from "../../src/platform/limits.ts";
import { BlockVersion } from "../../src/protocol/blocks/block-version.ts";
import { merkleMessage } from "../../src/protocol/blocks/transactions-root.ts";
import { rowText } from "../../src/tables/schema/row-text.ts";
import {
  type TransactionTreeRow,
  transactionTreeRow,
  transactionTreeTable,
} from "../../src/tables/transaction-trees.ts";
import { SeededRandom } from "../../verification/chain-generator/seeded-random.ts";
import type { SimulatedNode } from "../../verification/simulation/simulated-node.ts";
import { appendEvent, type Move, RandomChain } from "../support/builders/random-chain.ts";

/** Expected trees. */
function treesOf({ chain: { view, stored } }: SimulatedNode): readonly TransactionTreeRow[] {
  const heights = Array.from({ length: view.height - 1 }, (_, index) => index + 1);
  return heights.flatMap((height) => {
    const block = stored.findBlock(height);
    if (block === undefined || block.header.version < BlockVersion.Protobuf) return [];
    const tree = EMPTY_MERKLE_TREE.append(block.transactions.map(merkleMessage));
    expect(tree.root()).toEqual(block.header.transactionsRoot);
    return transactionTreeRow(height, tree) ?? [];
  });
}

function expectTrees(node: SimulatedNode): number {
  const expected = treesOf(node);
  expect(node.node.store.query(transactionTreeTable, "ORDER BY height")).toEqual(expected);
  return expected.length;
}

test("a chain that grows, forks and is rolled back keeps its trees", () => {
  const random = new SeededRandom("trees");
  const chain = new RandomChain("active", 3);
  const { node } = chain;
  for (let round = 0; round < 8; round++) {
    const last: Move = random.boolean(0.2)
      ? { kind: "competitor" }
      : { kind: "keyBlock", generator: random.below(4), dropped: random.below(2) };
    const more: Move[] = [{ kind: "transactions", count: 3 }, { kind: "microBlock" }];
    for (const move of [...more, ...more, last]) chain.run(move);
    expectTrees(node);
  }
  expect(expectTrees(node)).toBeGreaterThan(3);
  const other = chain.emptyNode();
  for (const event of chain.events) appendEvent(other, event, true);
  expectTrees(other);
  node.chain.forks.revertTo(node.height - 3);
  expectTrees(node);
});

test("a tree that would not fit into a row as text is left out, and so is an empty one", () => {
  const treeOf = (leaves: number) =>
    EMPTY_MERKLE_TREE.append(Array.from({ length: leaves }, (_, leaf) => Uint8Array.of(leaf, leaf >> 8)));
  const largest = transactionTreeRow(7, treeOf(14_050)) as TransactionTreeRow;
  expect(largest).toMatchObject({ height: 7, leafCount: 14_050 });
  expect(rowText(transactionTreeTable, largest).length).toBeLessThan(platformLimits.valueBytes);
  expect(transactionTreeRow(7, treeOf(14_080))).toBeUndefined();
  expect(transactionTreeRow(7, EMPTY_MERKLE_TREE)).toBeUndefined();
});

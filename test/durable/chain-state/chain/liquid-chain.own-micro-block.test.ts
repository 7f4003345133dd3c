import { expect, test } from "vitest";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { packedMicroBlock } from "../../../support/builders/packed-micro-block.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";

const startMs = 1_700_000_000_000;
const tables = [...stateTables.map(({ name }) => name), "undo"];

/** Node in the middle of a round, with some transactions in its pool. */
function nodeWithPool(): SimulatedNode {
  const node = new SimulatedNode({ startMs });
  node.advanceTo(startMs + 1);
  node.mineTo(node.chain.view.height + 1);
  for (let count = 0; count < 5; count++)
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs - count), amount: BigInt(count + 1) }));
  return node;
}

test("an own micro-block leaves the same tables as the same micro-block received from another node", () => {
  const node = nodeWithPool();
  const { microBlock, opened } = packedMicroBlock(node);
  const received = node.chain.liquid.withLiquidForm(0, () => {
    node.chain.liquid.appendMicroBlock(microBlock, { nowMs: node.nowMs, verifySignatures: true });
    return node.database.dump(tables);
  });
  node.chain.liquid.appendOwnMicroBlock(microBlock, opened, node.nowMs);
  expect(node.database.dump(tables)).toBe(received);
});

test("a run that was opened on an earlier tip is refused, and nothing changes", () => {
  const node = nodeWithPool();
  const stale = packedMicroBlock(node, 2);
  const { microBlock, opened } = packedMicroBlock(node, 3);
  node.chain.liquid.appendOwnMicroBlock(microBlock, opened, node.nowMs);
  const after = node.database.dump(tables);
  expect(() => node.chain.liquid.appendOwnMicroBlock(stale.microBlock, stale.opened, node.nowMs)).toThrow(
    "earlier tip",
  );
  expect(() => node.chain.liquid.appendOwnMicroBlock(microBlock, opened, node.nowMs)).toThrow("earlier tip");
  expect(node.database.dump(tables)).toBe(after);
});

test("a run with other transactions than the micro-block's is refused, and nothing changes", () => {
  const node = nodeWithPool();
  const two = packedMicroBlock(node, 2);
  const three = packedMicroBlock(node, 3);
  const before = node.database.dump(tables);
  expect(() => node.chain.liquid.appendOwnMicroBlock(two.microBlock, three.opened, node.nowMs)).toThrow(
    "other transactions",
  );
  const [first, second, third] = three.microBlock.transactions as [Transaction, Transaction, Transaction];
  for (const transactions of [[first, third], [third, second], [first, second, third], [first]]) {
    const other = { ...two.microBlock, transactions };
    expect(() => node.chain.liquid.appendOwnMicroBlock(other, two.opened, node.nowMs)).toThrow("other transactions");
  }
  expect(node.database.dump(tables)).toBe(before);
});

test("a failing read of an earlier form of the tip throws its error, and the chain is as it was", () => {
  const node = nodeWithPool();
  while (node.pool.size > 0) node.step();
  const before = node.database.dump(tables);
  const { liquid, stored } = node.chain;
  expect(liquid.withLiquidForm(0, () => stored.tip().transactionCount)).toBe(0);
  const ask = () =>
    liquid.withLiquidForm(0, () => {
      throw new TypeError("broken");
    });
  expect(ask).toThrow(new TypeError("broken"));
  expect(node.database.dump(tables)).toBe(before);
  expect(stored.tip().transactionCount).toBe(5);
});

test("an own micro-block that the tables refuse leaves the chain as it was, and can be packed again", () => {
  const node = nodeWithPool();
  const before = node.database.dump(tables);
  node.database.exec("CREATE TRIGGER full BEFORE INSERT ON undo BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  expect(() => node.step()).toThrow("the disk is full");
  expect(node.database.dump(tables)).toBe(before);
  node.database.exec("DROP TRIGGER full");
  // Half as many at first: one of them might have caused the error.
  while (node.pool.size > 0) node.step();
  expect(node.chain.stored.tip().transactionCount).toBe(5);
});

test("packing may refuse expensive work; it works on the genesis block, too", () => {
  const { liquid, view } = new SimulatedNode({ startMs }).chain;
  expect(view.height).toBe(1);
  expect(liquid.openMicroBlock({ verifySignatures: true }).overlay.mayRefuseWork).toBe(true);
});

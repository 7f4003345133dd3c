import { expect, test } from "vitest";
import type { OpenedMicroBlock } from "../../../durable/chain/liquid-chain.ts";
import { forgeMicroBlock } from "../../../durable/miner/forge-micro-block.ts";
import { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { richKey, signedTransfer } from "../pool/signed-transfer.ts";

const startMs = 1_700_000_000_000;
const tables = [...stateTables.map(({ name }) => name), "undo"];

/** A node in the middle of a round, with some transactions in its pool. */
function nodeWithPool(): SimulatedNode {
  const node = new SimulatedNode({ startMs });
  node.advanceTo(startMs + 1);
  node.mineTo(node.chain.view.height + 1);
  for (let count = 0; count < 5; count++)
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs - count), amount: BigInt(count + 1) }));
  return node;
}

function packed(
  node: SimulatedNode,
  maxTransactions = 5,
): { readonly microBlock: MicroBlock; readonly opened: OpenedMicroBlock } {
  const opened = node.chain.liquid.openMicroBlock({ verifySignatures: true });
  const { microBlock } = forgeMicroBlock({
    view: node.chain.view,
    liquid: node.chain.liquid.block(),
    run: opened.run,
    pool: node.pool,
    account: richKey,
    maxTransactions,
    nowMs: node.nowMs,
    random: secureRandomBytes,
  });
  if (microBlock === undefined) throw new Error("no micro-block was made");
  return { microBlock, opened };
}

test("an own micro-block leaves the same tables as the same micro-block received from another node", () => {
  const node = nodeWithPool();
  const { microBlock, opened } = packed(node);
  const received = node.chain.liquid.withLiquidForm(0, () => {
    node.chain.liquid.appendMicroBlock(microBlock, { nowMs: node.nowMs, verifySignatures: true });
    return node.database.dump(tables);
  });
  node.chain.liquid.appendOwnMicroBlock(microBlock, opened, node.nowMs);
  expect(node.database.dump(tables)).toBe(received);
});

test("a run that was opened on an earlier tip is refused, and nothing changes", () => {
  const node = nodeWithPool();
  const stale = packed(node, 2);
  const { microBlock, opened } = packed(node, 3);
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
  const two = packed(node, 2);
  const three = packed(node, 3);
  const before = node.database.dump(tables);
  expect(() => node.chain.liquid.appendOwnMicroBlock(two.microBlock, three.opened, node.nowMs)).toThrow(
    "other transactions",
  );
  expect(node.database.dump(tables)).toBe(before);
});

test("an own micro-block that the tables refuse leaves the chain as it was, and can be packed again", () => {
  const node = nodeWithPool();
  const { microBlock, opened } = packed(node);
  const before = node.database.dump(tables);
  node.database.exec("CREATE TRIGGER full BEFORE INSERT ON undo BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
  expect(() => node.chain.liquid.appendOwnMicroBlock(microBlock, opened, node.nowMs)).toThrow("the disk is full");
  expect(node.database.dump(tables)).toBe(before);
  node.database.exec("DROP TRIGGER full");
  const again = packed(node);
  node.chain.liquid.appendOwnMicroBlock(again.microBlock, again.opened, node.nowMs);
  expect(node.chain.stored.tip().transactionCount).toBe(5);
});

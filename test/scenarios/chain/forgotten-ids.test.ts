/** Transactions that a reference node may have forgotten, repeated in a block of another node. */
import { beforeEach, expect, test } from "vitest";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { microBlockOf } from "../../support/builders/packed-micro-block.ts";
import { poorKey, signedTransfer } from "../../support/builders/signed-transfer.ts";

const { blockchain } = privateNetwork;
const backMs = 20_000n;
const settings = {
  ...blockchain,
  functionality: { ...blockchain.functionality, maxTransactionTimeBackOffsetMs: backMs },
};
const startMs = Number(blockchain.genesis.blockTimestampMs);
const tables = stateTables.map(({ name }) => name);
/** Dated so that it is never too old or too young. */
const transfer = signedTransfer({ timestamp: -(2n ** 63n), amount: 7n });
const address = addressOfPublicKey(poorKey.publicKey, blockchain.chainId);

let node: SimulatedNode;

beforeEach(() => {
  node = new SimulatedNode({ startMs, blockchain: settings });
  node.mineTo(3);
  node.node.appendMicroBlock(microBlockOf(node, [transfer]));
});

const receivedAgain = () => node.node.appendMicroBlock(microBlockOf(node, [transfer]));
const balance = () => node.chain.view.balance(address, null);
const heightOfTransfer = () => node.chain.view.findTransaction(transfer.id)?.height;

function codeOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.violation.code;
    throw error;
  }
}

/**
 * Mines until the tip's parent is more than two back offsets younger than the block at height 3.
 * @returns all tables, as they were before the last block
 */
function mineUntilForgotten(): string {
  const { stored } = node.chain;
  let before = "";
  const firstMs = stored.rowAt(3).timestamp;
  while (stored.rowAt(node.height - 1).timestamp - firstMs <= 2n * backMs) {
    expect(codeOf(receivedAgain)).toBe("alreadyInState");
    before = node.database.dump(tables);
    node.mineTo(node.height + 1);
  }
  return before;
}

test("it is taken again from others once it is two back offsets old, its amount is paid again, and a rollback leaves the first", () => {
  const before = mineUntilForgotten();
  const { height } = node;
  receivedAgain();
  expect([balance(), heightOfTransfer()]).toEqual([14n, height]);
  expect(codeOf(receivedAgain)).toBe("alreadyInState");
  node.mineTo(height + 1);
  expect(codeOf(receivedAgain)).toBe("alreadyInState");
  for (const at of [3, height])
    expect([...node.chain.view.transactionsAt(at)].map(({ id }) => id)).toEqual([transfer.id]);
  node.chain.forks.revertTo(height - 1);
  expect([balance(), heightOfTransfer()]).toEqual([7n, 3]);
  expect(node.database.dump(tables)).toBe(before);
});

test("the pool does not take it, and no own micro-block has it", () => {
  mineUntilForgotten();
  expect(codeOf(() => void node.broadcast(transfer))).toBe("timestampFromPast");
  const own = node.chain.liquid.openMicroBlock({ verifySignatures: false }).run;
  expect(codeOf(() => own.add(transfer))).toBe("alreadyInState");
});

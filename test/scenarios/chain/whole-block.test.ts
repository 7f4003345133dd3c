/** Block in micro-blocks and the same block as a whole: both leave the same tables. */
import { expect, test } from "vitest";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { accountTable } from "../../../src/tables/accounts.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";

const { blockchain, node: settings } = privateNetwork;
const startMs = Number(blockchain.genesis.blockTimestampMs);
const fee = 100_000n;

/** Node whose tip has three micro-blocks of two transfers each. */
function nodeWithMicroBlocks(): SimulatedNode {
  const node = { ...settings, miner: { ...settings.miner, maxTransactionsInMicroBlock: 2 } };
  const simulated = new SimulatedNode({ blockchain, node, startMs });
  simulated.mineTo(3);
  for (let count = 0; count < 6; count++)
    simulated.broadcast(signedTransfer({ timestamp: BigInt(simulated.nowMs - count), fee }));
  while (simulated.pool.size > 0) simulated.step();
  return simulated;
}

test("the row of a block counts the transactions, fees and bytes of all its micro-blocks", () => {
  const node = nodeWithMicroBlocks();
  const { stored } = node.chain;
  expect([node.height, stored.microBlockCount()]).toEqual([3, 3]);
  const tip = stored.tip();
  expect(tip).toMatchObject({ transactionCount: 6, totalFee: 6n * fee, carryFee: (6n * fee * 3n) / 5n });
  const whole = new SimulatedNode({ startMs: node.nowMs });
  for (const height of [2, 3]) whole.append(stored.findBlock(height) as Block);
  expect(whole.chain.stored.tip()).toEqual(tip);
  const balancesOf = (of: SimulatedNode) => of.node.store.query(accountTable, "ORDER BY address");
  expect(balancesOf(whole)).toEqual(balancesOf(node));
});

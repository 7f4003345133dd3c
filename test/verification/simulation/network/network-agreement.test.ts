/** The checks of a simulated network find errors. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { type ChainObject, openChainObject } from "../../../../verification/simulation/network/chain-object.ts";
import { Lifetime } from "../../../../verification/simulation/network/lifetime.ts";
import {
  agreementDifferences,
  type SettledNode,
  transactionDifferences,
} from "../../../../verification/simulation/network/network-agreement.ts";
import { makeNetworkWorld } from "../../../../verification/simulation/network/network-world.ts";
import { steadyTransfer } from "../../../../verification/simulation/network/steady-transfer.ts";
import { nodeDatabase } from "../../../../verification/sqlite/node-database.ts";

const world = makeNetworkWorld(new SeededRandom("agreement"), { era: "old", generators: 2, quorum: 0, blocks: 10 });
let nowMs = world.genesisMs;
let first: SettledNode & { readonly chain: ChainObject };
let second: SettledNode & { readonly chain: ChainObject };

function opened(index: number): SettledNode & { readonly chain: ChainObject } {
  const storage = nodeDatabase();
  const chain = openChainObject({
    lifetime: new Lifetime(),
    machine: { world, index, isLight: false, random: new SeededRandom(`node ${index}`) },
    nowMs: () => nowMs,
    storage,
    deadAfter: undefined,
    wakeAt: () => {},
    peers: { onChainEvents: async () => {} },
  });
  chain.node.mine(true);
  return { name: `node ${index + 1}`, chain, storage, nowMs: () => nowMs, options: { isLight: false } };
}

/** The first node forges a block, and the second one appends it. */
function makeBlock(): void {
  const { node } = first.chain;
  const { height } = node.chain.view;
  while (node.chain.view.height === height) {
    nowMs = Math.max(nowMs, node.miner.nextWakeMs(nowMs) ?? nowMs);
    node.step();
  }
  second.chain.node.append(node.chain.stored.findBlock(height + 1) as Block);
}

const accepted = (transaction: Transaction, isSteady: boolean) => [{ transaction, isSteady }];

beforeAll(() => {
  [first, second] = [opened(0), opened(1)];
  for (let count = 0; count < 3; count++) makeBlock();
});
afterAll(() => {
  for (const { storage } of [first, second]) storage.database.close();
});

test("nodes with the same blocks agree", () => {
  expect(agreementDifferences([first, second])).toEqual([]);
});

test("a node with another state does not", () => {
  const { database } = second.storage;
  database.exec(
    "SAVEPOINT changed; UPDATE account SET balance = balance + 1 WHERE address = (SELECT MIN(address) FROM account)",
  );
  const lines = agreementDifferences([first, second]);
  database.exec("ROLLBACK TO changed; RELEASE changed");
  expect(lines).toEqual([expect.stringMatching(/^node 1: account: [0-9a-f]+: balance is \d+, in node 2 \d+$/)]);
});

test("a transaction that holds on every branch is to be in every chain, any other one must not wait for nothing", () => {
  const transfer = steadyTransfer(world, 0, nowMs, new SeededRandom("transfer"));
  expect(transactionDifferences([first], accepted(transfer, false))).toEqual([]);
  expect(transactionDifferences([first], accepted(transfer, true))).toEqual([
    expect.stringContaining("node 1 has it neither in its chain nor in its pool, valid"),
  ]);
  const { node } = first.chain;
  node.pool.add(transfer, node.chain.view, nowMs);
  expect(transactionDifferences([first], accepted(transfer, false))).toEqual([
    expect.stringContaining("waits in the pool of node 1 for nothing"),
  ]);
  while (node.pool.size > 0) {
    nowMs = Math.max(nowMs, node.miner.nextWakeMs(nowMs) ?? nowMs);
    node.step();
  }
  expect(transactionDifferences([first], accepted(transfer, true))).toEqual([]);
});

test("nodes of which one has another chain do not agree", () => {
  const { node } = second.chain;
  const { height } = node.chain.view;
  while (node.chain.view.height < height + 1) {
    nowMs = Math.max(nowMs, node.miner.nextWakeMs(nowMs) ?? nowMs);
    node.step();
  }
  expect(agreementDifferences([first, second])[0]).toMatch(/^node 1 and node 2 have the heights \d+ and \d+$/);
});

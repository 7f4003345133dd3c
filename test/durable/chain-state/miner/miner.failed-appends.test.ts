/** Failing appends without a broken rule: only the transactions that cause them are dropped. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Feature } from "../../../../src/network/features.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../../src/network/settings.ts";
import type { TransferTransaction } from "../../../../src/protocol/transactions/transaction.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";

const startMs = 1_700_000_000_000;

beforeAll(() => {
  // Silences the node's error log.
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
});

const { blockchain } = privateNetwork;
const withoutNg: BlockchainSettings = {
  ...blockchain,
  functionality: {
    ...blockchain.functionality,
    blockVersion3AfterHeight: 1_000,
    preActivatedFeatures: new Map([[Feature.SmartAccounts, 0]]),
  },
};

function nodeWithPool(
  size: number,
  settings: BlockchainSettings = blockchain,
): { readonly node: SimulatedNode; readonly transfers: TransferTransaction[] } {
  const node = new SimulatedNode({ startMs, blockchain: settings });
  node.advanceTo(startMs + 1);
  node.mineTo(node.chain.view.height + 1);
  const version = settings === withoutNg ? 2 : 3;
  const transfers = Array.from({ length: size }, (_, count) =>
    signedTransfer({ timestamp: BigInt(node.nowMs - count), version }),
  );
  for (const transfer of transfers) node.broadcast(transfer);
  return { node, transfers };
}

/** Lets the node work until its pool is empty, for a limited number of rounds. */
async function work(node: SimulatedNode, rounds: number): Promise<void> {
  for (let round = 0; round < rounds && node.pool.size > 0; round++) {
    node.nowMs = Math.max(node.nowMs, node.miner.nextWakeMs(node.nowMs) ?? node.nowMs);
    await node.node.work();
  }
}

const isIncluded = (node: SimulatedNode, { id }: TransferTransaction) =>
  node.chain.view.findTransaction(id) !== undefined;

test.each([
  ["micro-blocks", blockchain],
  ["key blocks", withoutNg],
])(
  "a transaction that SQLite refuses to write into %s is found and dropped; the others are included",
  async (_, settings) => {
    const { node, transfers } = nodeWithPool(40, settings);
    const refused = [transfers[7], transfers[29]] as TransferTransaction[];
    for (const [number, { id }] of refused.entries())
      node.database.exec(
        `CREATE TRIGGER refuses_${number} BEFORE INSERT ON tx WHEN NEW.id = x'${Buffer.from(id).toString("hex")}'
       BEGIN SELECT RAISE(ABORT, 'string or blob too big'); END`,
      );
    await work(node, 60);
    expect(node.pool.size).toBe(0);
    expect(transfers.filter((transfer) => !isIncluded(node, transfer))).toEqual(refused);
  },
);

test("a transaction whose append fails once, even alone, is tried again", async () => {
  const { node, transfers } = nodeWithPool(1);
  node.database.exec("CREATE TRIGGER fails BEFORE INSERT ON undo BEGIN SELECT RAISE(ABORT, 'interrupted'); END");
  await work(node, 1);
  node.database.exec("DROP TRIGGER fails");
  await work(node, 20);
  expect(transfers.every((transfer) => isIncluded(node, transfer))).toBe(true);
});

test("a database that refuses all writes costs no transaction", async () => {
  const { node, transfers } = nodeWithPool(4);
  for (const table of ["undo", "meta"])
    node.database.exec(
      `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
    );
  await work(node, 20);
  expect(node.pool.size).toBe(4);
  for (const table of ["undo", "meta"]) node.database.exec(`DROP TRIGGER full_${table}`);
  await work(node, 20);
  expect(transfers.every((transfer) => isIncluded(node, transfer))).toBe(true);
});

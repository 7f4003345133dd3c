/** A short run of `npm run faults`, which takes minutes in full, and a test that it finds errors. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import {
  allTransactionGenerators,
  makeTransaction,
} from "../../../verification/chain-generator/all-transaction-generators.ts";
import { chainVariants } from "../../../verification/chain-generator/generated-network.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { AcceptedTransactions } from "../../../verification/faults/accepted-transactions.ts";
import {
  memoryDifferences,
  moneyDifferences,
  publicationDifferences,
  replayDifferences,
} from "../../../verification/faults/check-agreement.ts";
import { faultRun } from "../../../verification/faults/fault-run.ts";
import { makeWorld } from "../../../verification/faults/generated-world.ts";
import { seededOptions, seededRun } from "../../../verification/faults/seeded-run.ts";
import type { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { nodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { type TestDatabase, testDatabase } from "../../../verification/sqlite/test-database.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";

/** Removes a table's entries from the undo journal. */
function forgetUndo(table: string): string {
  const number = stateTables.findIndex(({ name }) => name === table);
  return `UPDATE undo SET entries = (
    SELECT json_group_array(json(value)) FROM json_each(undo.entries) WHERE json_extract(value, '$[0]') != ${number})`;
}

/** Long enough for a busy machine. */
const timeoutMs = 600_000;
const seed = 1;

test("a short run of the seed leaves no difference, and is the same each time", { timeout: timeoutMs }, async () => {
  const { differences, journal, height } = await seededRun(seed, 1, 6);
  expect(differences).toEqual([]);
  expect(journal.faults).toBeGreaterThanOrEqual(6);
  expect(height).toBeGreaterThan(2);
  expect((await seededRun(seed, 1, 6)).journal.lines).toEqual(journal.lines);
});

test("seeds draw networks of every kind, also such whose generators commit", () => {
  const variants = Array.from({ length: 30 }, (_, number) => seededOptions(seed, number).world.network.variant);
  expect([...new Set(variants)].sort()).toEqual([...chainVariants].sort());
});

test("where generators commit a run leaves no difference either", { timeout: timeoutMs }, async () => {
  const { differences, types } = await faultRun({
    seed: "leftover/4",
    world: makeWorld("committed", 4, 20),
    faults: 20,
  });
  expect(differences).toEqual([]);
  expect([...types]).toContain(TransactionType.CommitToGeneration);
});

describe("what is wrong with a node at rest is found", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fault-run-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let files = 0;
  const world = makeWorld("active", seed, 12);
  const { d1, sqlite: readModel } = d1Double();
  let node: SimulatedNode;
  let waiting: Transaction;

  const opened = (database: TestDatabase) =>
    world.node({ name: "opened", generators: 4, startMs: node.nowMs, database });
  const copyOf = ({ database }: SimulatedNode): SimulatedNode => {
    files += 1;
    const file = path.join(folder, `${files}.sqlite`);
    database.database.exec(`VACUUM INTO '${file}'`);
    return opened(testDatabase(nodeDatabase(file)));
  };
  const replayOf = (replayed: SimulatedNode) =>
    replayDifferences(replayed, {
      makeEmpty: () => opened(testDatabase()),
      copy: () => copyOf(replayed),
      rollbackBlocks: 2,
    });
  /** Runs the query with a table changed, then undoes the change. */
  const changed = (database: TestDatabase["database"], sql: string, query: () => string[]): string[] => {
    database.exec(`SAVEPOINT changed; ${sql}`);
    try {
      return query();
    } finally {
      database.exec("ROLLBACK TO changed; RELEASE changed");
    }
  };

  beforeAll(async () => {
    node = world.node({ name: "node", generators: 4, startMs: world.genesisMs, readModel: d1Sink(d1) });
    const transactionGenerators = world.chainWorld(node.chain.view, new SeededRandom("load"), () => node.nowMs);
    const all = allTransactionGenerators();
    const submit = (): void => {
      for (;;) {
        try {
          if (node.broadcast(makeTransaction(all, transactionGenerators))) return;
        } catch (error) {
          if (!(error instanceof RuleError)) throw error;
        }
      }
    };
    for (let height = 2; height < 6; height++) {
      for (let count = 0; count < 4; count++) submit();
      node.mineTo(height);
    }
    // Its sender never has a script and always has enough: any of the last blocks could have included it.
    waiting = signedTransfer({ timestamp: BigInt(node.nowMs) });
    node.broadcast(waiting);
    await node.node.drain();
  }, timeoutMs);

  test("nothing is, where nothing is wrong", { timeout: timeoutMs }, () => {
    expect(publicationDifferences(node, readModel)).toEqual([]);
    expect(moneyDifferences(node)).toEqual([]);
    expect(replayOf(node)).toEqual([]);
    const subjects = { addresses: world.accounts.users.map(({ address }) => address), transactions: [waiting] };
    expect(memoryDifferences(node, opened(node.database), subjects)).toEqual([]);
  });

  test("a row that the read model has otherwise", () => {
    const lines = changed(readModel, "UPDATE account SET balance = balance + 1", () =>
      publicationDifferences(node, readModel),
    );
    expect(lines[0]).toMatch(/^account: [0-9a-f]{52}: balance is \d+, in the read model \d+$/);
  });

  test("a read model that shows no whole state", () => {
    const lines = changed(readModel, "UPDATE chain SET is_whole = 0", () => publicationDifferences(node, readModel));
    expect(lines).toEqual([expect.stringMatching(/^the read model shows undefined, the node is at /)]);
  });

  test("money from nowhere", () => {
    const lines = changed(
      node.database.database,
      "UPDATE account SET balance = balance + 1 WHERE address = (SELECT MIN(address) FROM account)",
      () => moneyDifferences(node),
    );
    expect(lines).toEqual([expect.stringMatching(/^there is WAVES \d+, and there should be WAVES \d+$/)]);
  });

  test.each([
    ["a row that its blocks do not make", "DELETE FROM tx_address"],
    ["a change that is not taken back", forgetUndo("tx_address")],
  ])("%s", { timeout: timeoutMs }, (_, sql) => {
    const broken = copyOf(node);
    broken.database.database.exec(sql);
    expect(replayOf(broken).length).toBeGreaterThan(0);
  });

  test("a transaction that is remembered, and no longer stored", () => {
    const lines = changed(node.database.database, "DELETE FROM pool", () =>
      memoryDifferences(node, opened(node.database), { addresses: [], transactions: [] }),
    );
    expect(lines).toEqual([expect.stringMatching(/^the node's pool has [0-9a-f,]+, restarted it has /)]);
  });

  test("an accepted transaction that has vanished, once", () => {
    const accepted = new AcceptedTransactions();
    accepted.add(waiting);
    expect(accepted.findVanished(node, () => copyOf(node))).toEqual([]);
    node.pool.removeAll([waiting]);
    expect(accepted.findVanished(node, () => copyOf(node))).toEqual([
      expect.stringContaining("was accepted and has vanished"),
    ]);
    expect(accepted.findVanished(node, () => copyOf(node))).toEqual([]);
  });
});

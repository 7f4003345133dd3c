/**
 * Upgrade of a version 4 read model, without the rows of taken over aliases: they are added without rewriting the
 * tables.
 */
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { openTables } from "../../../durable/chain-state/state/open-tables.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { nodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { testDatabase } from "../../../verification/sqlite/test-database.ts";
import { testPublisher } from "../../support/builders/test-publisher.ts";
import { DatabaseCopies, storedNetwork } from "../../support/fixtures/stored-databases.ts";

const version = 4;
const copies = new DatabaseCopies();
afterAll(() => copies.remove());

test("aliases that were taken over are published by the upgrade", async () => {
  const database = testDatabase(nodeDatabase(copies.copy(version, "chain-state")));
  const names = database.database.prepare("SELECT name FROM alias ORDER BY name LIMIT 2").all();
  expect(names).toHaveLength(2);
  database.exec("UPDATE alias SET taken_over = 1 WHERE name IN (SELECT name FROM alias ORDER BY name LIMIT 2)");
  openTables(new StateStore(database), storedNetwork(version).genesisText);
  const readModel = new DatabaseSync(copies.copy(version, "read-model"));
  const written: string[] = [];
  const { d1 } = d1Double(readModel);
  const store = new StateStore(database);
  const { genesisText: genesis, blockchain } = storedNetwork(version);
  await testPublisher({
    store,
    readModel: d1Sink(d1),
    genesis,
    chainId: blockchain.chainId,
    onCopy: (what) => written.push(what),
  }).drain();
  expect(written).toEqual([]);
  expect(readModel.prepare("SELECT name FROM alias WHERE taken_over = 1 ORDER BY name").all()).toEqual(names);
  expect(readModelDifferences(database.database, readModel)).toEqual([]);
});

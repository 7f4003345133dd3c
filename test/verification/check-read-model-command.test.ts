/** `npm run check:read-model` on the databases of a killed node. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { d1Sink } from "../../durable/chain-state/publish/read-model-sink.ts";
import { StateStore } from "../../durable/chain-state/state/state-store.ts";
import { SCHEMA_VERSION } from "../../src/tables/migrations/all-migrations.ts";
import { d1Double } from "../../verification/sqlite/d1-double.ts";
import { nodeDatabase } from "../../verification/sqlite/node-database.ts";
import { testPublisher } from "../support/builders/test-publisher.ts";
import { DatabaseCopies } from "../support/fixtures/stored-databases.ts";

const copies = new DatabaseCopies();
const data = mkdtempSync(path.join(os.tmpdir(), "check-read-model-"));
const stateFile = path.join(data, "storage/do/node-ChainState/object.sqlite");
const readModelFile = path.join(data, "storage/d1/miniflare-D1DatabaseObject/database.sqlite");
afterAll(() => {
  copies.remove();
  rmSync(data, { recursive: true });
});

function check(...flags: string[]) {
  const script = path.join(import.meta.dirname, "../../verification/check-read-model-command.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...flags], { encoding: "utf8" });
  return { status, output: stdout, fault: stderr };
}

test("names the tables and rows that differ, what waits, and what is shown", async () => {
  for (const file of [stateFile, readModelFile]) mkdirSync(path.dirname(file), { recursive: true });
  copyFileSync(copies.copy(SCHEMA_VERSION, "chain-state"), stateFile);
  copyFileSync(copies.copy(SCHEMA_VERSION, "read-model"), readModelFile);
  const killed = check(data);
  expect(killed.status).toBe(1);
  expect(killed.output).toMatch(/^tx: \d+ rows are equal\n {2}missing in the read model: \d+, \d+$/m);
  expect(killed.output).toMatch(/^[1-9]\d* entries of the outbox wait to be published$/m);

  const database = nodeDatabase(stateFile);
  const readModel = new DatabaseSync(readModelFile);
  await testPublisher({ store: new StateStore(database), readModel: d1Sink(d1Double(readModel).d1) }).drain();
  const published = check(data);
  expect(published.status).toBe(0);
  expect(published.output).toMatch(/^tx, as JSON: [1-9]\d* rows are equal\n\w/m);
  expect(published.output).toMatch(/^0 entries of the outbox wait to be published\nthe read model shows \w+:\d+:\w+$/m);

  readModel.exec("UPDATE account SET balance = balance + 1 WHERE balance > 0");
  readModel.exec("UPDATE tx SET json = replace(json, '\"fee\":', '\"fee\":1') WHERE height = 3 AND position = 0");
  readModel.exec("UPDATE chain SET is_whole = 0, progress = '3 of 19 tables'");
  const changed = check(data);
  expect(changed.status).toBe(1);
  expect(changed.output).toMatch(/^ {2}[0-9a-f]{52}: balance is \d+, in the read model \d+$/m);
  expect(changed.output).toMatch(/^tx, as JSON: \d+ rows are equal\n {2}3, 0: json is not what the bytes say$/m);
  expect(changed.output).toContain("the read model shows no whole state: 3 of 19 tables");
  database.database.close();
  readModel.close();
});

test("a folder without databases and a missing one are one sentence", () => {
  for (const flags of [[path.join(data, "nowhere")], [], ["--all"], [data, data]]) {
    const { status, fault } = check(...flags);
    expect([status, fault.trim().split("\n").length]).toEqual([2, 1]);
  }
});

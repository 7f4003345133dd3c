/** Tables of a dev snapshot, which has the whole state: any table must be in it, or be listed as excluded. */
import { expect, test } from "vitest";
import { nonStateMeta, nonStateTables } from "../../../../durable/chain-state/dev/non-state-tables.ts";
import { copiedTables } from "../../../../durable/chain-state/dev/state-copies.ts";
import { tablesOf } from "../../../../src/tables/all-tables.ts";
import { forkFactTable, forkTables } from "../../../../src/tables/fork.ts";
import { DevChainRun } from "../../../support/builders/dev-chain-run.ts";

/** SQLite's own tables. */
const foreign = ["sqlite_sequence"];

test("every table of a dev chain's object is copied, is a copy, or is excluded", () => {
  const run = new DevChainRun("active", 1);
  const found = run.chain.node.database.database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const expected = [
    ...tablesOf.object.map(({ name }) => name),
    ...copiedTables.map(({ name }) => name),
    ...forkTables.map(({ name }) => name),
    ...["dev_snapshot", ...foreign],
  ];
  expect(found.map(({ name }) => name).sort()).toEqual(expected.sort());
});

test("the excluded tables are those about the read model", () => {
  expect([...nonStateTables].map(({ name }) => name)).toEqual(["outbox", "publication", "sent_batch"]);
  // Responses of the source node of a fork are excluded, too; the table of known state keys is not.
  expect(copiedTables).toHaveLength(tablesOf.object.length + 1 - nonStateTables.size);
  expect(copiedTables.map(({ table }) => table)).toContain(forkFactTable);
});

test("a copy has every row, except metadata of the database itself", () => {
  const run = new DevChainRun("active", 1);
  run.grow();
  const { database } = run.chain.node.database;
  const countOf = (sql: string) => Number(database.prepare(sql).get()?.["count"]);
  const taken = run.state.snapshot(undefined);
  if (taken.kind !== "done") throw new Error(taken.reason);
  const number = countOf("SELECT MAX(number) AS count FROM dev_snapshot");
  const excluded = nonStateMeta.map((name) => `'${name}'`).join();
  for (const { table, name } of copiedTables) {
    const condition = table.name === "meta" ? `name NOT IN (${excluded})` : "TRUE";
    expect(countOf(`SELECT COUNT(*) AS count FROM ${name} WHERE copy_number = ${number}`), table.name).toBe(
      countOf(`SELECT COUNT(*) AS count FROM ${table.name} WHERE ${condition}`),
    );
  }
});

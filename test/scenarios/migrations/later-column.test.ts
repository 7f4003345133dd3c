/** Column added by a later release: earlier rows, undo records and outbox entries have no cell for it. */
import { expect, test } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { tablesOf } from "../../../src/tables/all-tables.ts";
import { addedLater, bytes, i64, int, nullable, oneOf, text } from "../../../src/tables/schema/column.ts";
import { written } from "../../../src/tables/schema/row-change.ts";
import { createSql, type Database } from "../../../src/tables/schema/schema-text.ts";
import { type Table, table } from "../../../src/tables/schema/table.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { type NodeDatabase, nodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { testPublisher } from "../../support/builders/test-publisher.ts";
import { missingStatements } from "../../support/fixtures/missing-statements.ts";
import { schemaOf } from "../../support/fixtures/schema-of.ts";

const declaration = {
  name: "made_up",
  comment: "of a test",
  key: ["id"],
  published: true,
  inCheckpoint: "all",
} as const;
const before = table({ ...declaration, columns: { id: bytes(), amount: i64 } });
const after = table({
  ...declaration,
  columns: {
    id: bytes(),
    amount: i64,
    kind: addedLater(oneOf(["small", "great"]), "great"),
    note: addedLater(nullable(text), "none"),
    weight: addedLater(nullable(int), undefined),
  },
});
/** Tables that both databases have in addition. */
const ownTables = new Set(["undo", "meta", "outbox", "publication", "sent_batch", "chain"]);
const id = Uint8Array.of(1);
const other = Uint8Array.of(2);

function makeTables(database: Pick<NodeDatabase["database"], "exec">, kind: Database, made: Table): void {
  const own = tablesOf[kind].filter(({ name }) => ownTables.has(name));
  for (const of of [...own, made]) for (const statement of createSql(of, kind)) database.exec(statement);
}

function addColumns(database: NodeDatabase["database"], kind: Database): void {
  const own = tablesOf[kind].filter(({ name }) => ownTables.has(name));
  for (const statement of missingStatements(schemaOf(database), [...own, after], kind)) database.exec(statement);
}

test("is filled in from its declaration in rows, when commits are rolled back, and when the outbox is published", async () => {
  const object = nodeDatabase();
  makeTables(object.database, "object", before);
  const old = new StateStore(object, [before]);
  const { d1, sqlite } = d1Double();
  for (const statement of createSql(after, "readModel")) sqlite.exec(statement);
  const readModel = d1Sink(d1);
  await testPublisher({ store: old, readModel }).drain();
  old.commit({ height: 1, step: 0 }, [written(before, { id, amount: 1n }), written(before, { id: other, amount: 9n })]);
  old.commit({ height: 2, step: 0 }, [written(before, { id, amount: 2n })]);

  addColumns(object.database, "object");
  const store = new StateStore(object, [after]);
  const filled = { kind: "great", note: "none", weight: undefined } as const;
  expect(store.find(after, { id })).toEqual({ id, amount: 2n, ...filled });
  const changed = { id, amount: 3n, kind: "small", note: undefined, weight: 7 } as const;
  store.commit({ height: 3, step: 0 }, [written(after, changed)]);
  expect(store.overwrittenAt(2)).toEqual([{ table: after, key: { id }, earlier: { id, amount: 1n, ...filled } }]);

  const publisher = testPublisher({ store, readModel });
  const shown = () => sqlite.prepare("SELECT hex(id) AS id, amount, kind, note, weight FROM made_up ORDER BY id").all();
  await publisher.drain();
  expect(shown()).toEqual([
    { id: "01", amount: 3, kind: 0, note: null, weight: 7 },
    { id: "02", amount: 9, kind: 1, note: "none", weight: null },
  ]);

  store.rollbackTo({ height: 1, step: 0 });
  expect(store.find(after, { id })).toEqual({ id, amount: 1n, ...filled });
  await publisher.drain();
  expect(shown()[0]).toEqual({ id: "01", amount: 1, kind: 1, note: "none", weight: null });
});

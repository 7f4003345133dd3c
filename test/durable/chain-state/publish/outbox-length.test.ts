/** Length of the outbox, as counted in memory. */
import { expect, test } from "vitest";
import { OutboxLength } from "../../../../durable/chain-state/publish/outbox-length.ts";
import { insertRow } from "../../../../durable/sql/plain-rows.ts";
import { outboxTable } from "../../../../src/tables/journal.ts";
import { testStore } from "../../../support/builders/test-store.ts";

function arrange() {
  const { store } = testStore();
  const put = () => insertRow(store.sql, outboxTable, { tableNumber: 1, removes: false, rows: "[[1]]" });
  return { store, waiting: new OutboxLength(store), put };
}

test("each entry is measured once, and published ones no longer count", () => {
  const { store, waiting, put } = arrange();
  expect(waiting.measure()).toBe(0);
  for (let count = 0; count < 3; count++) put();
  expect(waiting.measure()).toBe(15);
  store.sql.exec("DELETE FROM outbox WHERE seq <= 2");
  waiting.removed(2, 10);
  expect(waiting.measure()).toBe(5);
  put();
  expect(waiting.measure()).toBe(10);
});

test("if all measured entries and more were published, the length is 0, whatever length was reported", () => {
  const { store, waiting, put } = arrange();
  for (let count = 0; count < 2; count++) put();
  waiting.measure();
  put();
  store.sql.exec("DELETE FROM outbox");
  // The last one was not measured before it was published.
  waiting.removed(3, 15);
  expect(waiting.measure()).toBe(0);
  put();
  expect(waiting.measure()).toBe(5);
});

test("dropped entries no longer wait, and later ones are measured", () => {
  const { store, waiting, put } = arrange();
  put();
  waiting.measure();
  store.sql.exec("DELETE FROM outbox");
  waiting.dropped();
  expect(waiting.measure()).toBe(0);
  put();
  expect(waiting.measure()).toBe(5);
});

test("entries that disappeared with a batch without a response are forgotten", () => {
  const { store, waiting, put } = arrange();
  put();
  put();
  expect(waiting.measure()).toBe(10);
  store.sql.exec("DELETE FROM outbox WHERE seq = 1");
  waiting.forget();
  expect(waiting.measure()).toBe(5);
});

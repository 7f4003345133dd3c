/** How much the outbox is said to hold. */
import { expect, test } from "vitest";
import { WaitingLength } from "../../../durable/publish/waiting-length.ts";
import { insertRow } from "../../../durable/state/plain-rows.ts";
import { outboxTable } from "../../../src/tables/journal.ts";
import { testStore } from "../test-store.ts";

function arrange() {
  const { store } = testStore();
  const put = () => insertRow(store.sql, outboxTable, { tableNumber: 1, removes: false, rows: "[[1]]" });
  return { store, waiting: new WaitingLength(store), put };
}

test("each entry is measured once, and what has left counts no more", () => {
  const { store, waiting, put } = arrange();
  expect(waiting.measure()).toBe(0);
  for (let count = 0; count < 3; count++) put();
  expect(waiting.measure()).toBe(15);
  store.sql.exec("DELETE FROM outbox WHERE seq <= 2");
  waiting.left(2, 10);
  expect(waiting.measure()).toBe(5);
  put();
  expect(waiting.measure()).toBe(10);
});

test("where all have left that were measured, and more, nothing is left, whatever their length is said to be", () => {
  const { store, waiting, put } = arrange();
  for (let count = 0; count < 2; count++) put();
  waiting.measure();
  put();
  store.sql.exec("DELETE FROM outbox");
  // The last one was not measured before it left.
  waiting.left(3, 15);
  expect(waiting.measure()).toBe(0);
  put();
  expect(waiting.measure()).toBe(5);
});

test("what was dropped waits no more, and what comes after it is measured", () => {
  const { store, waiting, put } = arrange();
  put();
  waiting.measure();
  store.sql.exec("DELETE FROM outbox");
  waiting.dropped();
  expect(waiting.measure()).toBe(0);
  put();
  expect(waiting.measure()).toBe(5);
});

test("entries that left unseen, with a batch whose answer was lost, are forgotten", () => {
  const { store, waiting, put } = arrange();
  put();
  put();
  expect(waiting.measure()).toBe(10);
  store.sql.exec("DELETE FROM outbox WHERE seq = 1");
  waiting.forget();
  expect(waiting.measure()).toBe(5);
});

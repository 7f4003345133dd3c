/** How much the outbox is said to hold. */
import { expect, test } from "vitest";
import { WaitingLength } from "../../../durable/publish/waiting-length.ts";
import { insertRow } from "../../../durable/state/plain-rows.ts";
import { outboxTable } from "../../../src/tables/journal.ts";
import { testStore } from "../test-store.ts";

test("entries that left unseen, with a batch whose answer was lost, are forgotten", () => {
  const { store } = testStore();
  const waiting = new WaitingLength(store);
  const put = () => insertRow(store.sql, outboxTable, { tableNumber: 1, removes: false, rows: "[[1]]" });
  put();
  put();
  expect(waiting.measure()).toBe(10);
  store.sql.exec("DELETE FROM outbox WHERE seq = 1");
  waiting.forget();
  expect(waiting.measure()).toBe(5);
});

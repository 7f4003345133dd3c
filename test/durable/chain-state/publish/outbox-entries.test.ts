/** Outbox entries in one batch. */
import { describe, expect, test } from "vitest";
import { BatchStatements } from "../../../../durable/chain-state/publish/batch-statements.ts";
import { addEntries } from "../../../../durable/chain-state/publish/outbox-entries.ts";
import { markState, type PublishedState } from "../../../../durable/chain-state/state/published-state.ts";
import { insertRow } from "../../../../durable/sql/plain-rows.ts";
import { accountTable, balanceHistoryTable } from "../../../../src/tables/accounts.ts";
import { outboxTable } from "../../../../src/tables/journal.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const stateAt = (height: number): PublishedState => ({
  ...{ version: `block:${height}`, epoch: 0, height, transactions: 0, finalizedHeight: 1 },
});
const markLength = JSON.stringify(stateAt(1)).length;

/** Lengths of entries, and "mark" for a marked state after those before it. Heights count up. */
function arrange(waiting: readonly (number | "mark")[], maxLength?: number) {
  const { store } = testStore();
  const tableNumber = store.tables.numberOf(accountTable);
  let height = 0;
  for (const entry of waiting) {
    if (entry === "mark") {
      height += 1;
      markState(store.sql, stateAt(height));
      continue;
    }
    const rows = `["${"x".repeat(entry - 4)}"]`;
    insertRow(store.sql, outboxTable, { tableNumber, removes: false, rows });
  }
  const batch = new BatchStatements(store.tables, maxLength);
  return { store, batch, take: (after = 0) => addEntries(batch, store, after) };
}

describe("a batch", () => {
  test("takes all existing entries, and names the state that is marked after them", () => {
    const { batch, take } = arrange([10, "mark", 20, 30, "mark"]);
    expect(take()).toEqual({ sequence: 5, length: 60 + 2 * markLength, state: stateAt(2) });
    expect(batch.length).toBe(60);
  });

  test("takes the entries after a number, and stays there without any", () => {
    const { batch, take } = arrange([10, "mark", 20, "mark"]);
    expect(take(2)).toEqual({ sequence: 4, length: 20 + markLength, state: stateAt(2) });
    expect(batch.length).toBe(20);
    expect(take(4)).toEqual({ sequence: 4, length: 0, state: undefined });
  });

  test("names no state if entries follow the last marked one", () => {
    const { take } = arrange([10, "mark", 20]);
    expect(take()).toEqual({ sequence: 3, length: 30 + markLength, state: undefined });
  });

  test("takes more entries than are read at a time", () => {
    const { batch, take } = arrange([...Array<number>(17).fill(10), "mark"]);
    expect(take()).toEqual({ sequence: 18, length: 170 + markLength, state: stateAt(1) });
    expect(batch.length).toBe(170);
  });

  test("leaves a change without room whole for the next batch", () => {
    const { batch, take } = arrange([50, "mark", 30, 30, "mark"], 100);
    expect(take()).toEqual({ sequence: 2, length: 50 + markLength, state: stateAt(1) });
    expect(batch.length).toBe(50);
  });

  test("takes a change that just fits", () => {
    const { batch, take } = arrange([50, "mark", 30, 20, "mark", 10, "mark"], 100);
    expect(take()).toEqual({ sequence: 5, length: 100 + 2 * markLength, state: stateAt(2) });
    expect(batch.isFull).toBe(true);
  });

  test("takes a part of a change that fits into no batch, up to the entry that fills it", () => {
    const { batch, take } = arrange([60, 60, 60, "mark"], 100);
    expect(take()).toEqual({ sequence: 2, length: 120, state: undefined });
    expect(batch.length).toBe(120);
  });

  test.each([
    [99, { sequence: 2 + 99 + 1, state: stateAt(2) }],
    [100, { sequence: 2, state: stateAt(1) }],
  ])("has a hundred statements at most: a change of %d after one", (count, taken) => {
    const { store, take } = arrange([10, "mark"]);
    const tables = [accountTable, balanceHistoryTable].map((table) => store.tables.numberOf(table));
    for (let at = 0; at < count; at++)
      insertRow(store.sql, outboxTable, { tableNumber: tables[at % 2] as number, removes: false, rows: "[1]" });
    markState(store.sql, stateAt(2));
    expect(take()).toMatchObject(taken);
  });
});

/** Next batch from the outbox, and its effect on the read model's record. */
import { describe, expect, test } from "vitest";
import { BatchStatements } from "../../../../durable/chain-state/publish/batch-statements.ts";
import { type Batch, nextBatch } from "../../../../durable/chain-state/publish/next-batch.ts";
import { Publication } from "../../../../durable/chain-state/publish/publication.ts";
import { markState } from "../../../../durable/chain-state/state/published-state.ts";
import { insertRow } from "../../../../durable/sql/plain-rows.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { accountTable, balanceHistoryTable } from "../../../../src/tables/accounts.ts";
import { chainTable } from "../../../../src/tables/chain.ts";
import { outboxTable } from "../../../../src/tables/journal.ts";
import { written } from "../../../../src/tables/schema/row-change.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const state = { version: "tip", epoch: 2, height: 9, transactions: 5, finalizedHeight: 4 };

/** Whole read model, and entries that wait for it. */
function arrange(waiting: number, rows = "[[1]]") {
  const { store } = testStore();
  const publication = new Publication(store, { genesis: "genesis", drawn: "drawn", historyFrom: 1, tip: state });
  publication.sending({ batch: "first", sequence: 0, isWhole: true }, state);
  publication.landed("first");
  const tableNumber = store.tables.numberOf(accountTable);
  for (let count = 0; count < waiting; count++)
    insertRow(store.sql, outboxTable, { tableNumber, removes: false, rows });
  return {
    store,
    publication,
    next: () => nextBatch({ store, publication, chainId: 82, state: () => state, nowMs: 77, maxLength: undefined }),
  };
}

/** Row of the chain in a batch, by its columns. */
function chainRowOf({ statements }: Batch): Record<string, unknown> {
  const [head] = statements;
  expect(head?.sql).toContain(chainTable.writeFromSql);
  const [values] = JSON.parse(String(head?.bindings[1])) as unknown[][];
  return Object.fromEntries([...chainTable.columns.keys()].map((name, index) => [name, values?.[index]]));
}

describe("the next batch", () => {
  test.each([0, 1, 7, 8, 9, 16, 20])("takes all of %d entries, and marks the read model as whole", (waiting) => {
    const { publication, next } = arrange(waiting);
    const batch = next();
    expect(batch.sent).toMatchObject({ sequence: waiting, isWhole: true });
    expect(batch.sent).not.toHaveProperty("copied");
    expect(batch.statements[0]?.bindings[0]).toBe("first");
    expect(chainRowOf(batch)).toMatchObject({
      ...{ version: "tip", epoch: 2, height: 9, finalizedHeight: 4, publishedAt: 77, sequence: waiting },
      ...{ batch: batch.sent.batch, identity: publication.identity },
    });
    expect(chainRowOf(batch)).toMatchObject({ progress: null });
    const joined = `[${Array(waiting).fill("[1]").join(",")}]`;
    expect(batch.statements.slice(1)).toEqual(
      waiting === 0 ? [] : [{ sql: accountTable.publishSql, bindings: [joined] }],
    );
  });

  test("leaves entries that it has no room for, and marks the read model as not whole", () => {
    const { next } = arrange(40, `[["${"x".repeat(400_000)}"]]`);
    const batch = next();
    expect(batch.sent.isWhole).toBe(false);
    // No state is marked after any of them; the fifteenth makes 6,000,000 characters.
    expect(batch.sent.sequence).toBe(15);
    expect(chainRowOf(batch)).toMatchObject({ sequence: 15, progress: "what has changed is written" });
  });
});

describe("while the tables are rewritten, a batch", () => {
  function arrangeAnew(waiting: number, maxLength?: number) {
    const { store, publication } = arrange(0);
    publication.restart("foreign");
    const put = () => {
      const tableNumber = store.tables.numberOf(accountTable);
      for (let count = 0; count < waiting; count++)
        insertRow(store.sql, outboxTable, { tableNumber, removes: false, rows: "[[1]]" });
    };
    return {
      store,
      publication,
      put,
      next: () => nextBatch({ store, publication, chainId: 82, state: () => state, nowMs: 77, maxLength }),
    };
  }

  test("empties them first, whatever is in them, and takes nothing of the outbox", () => {
    const { publication, put, next } = arrangeAnew(3);
    put();
    const batch = next();
    expect(batch.sent).toMatchObject({ sequence: publication.sequence, isWhole: false, copied: { step: "clear" } });
    expect(batch.statements[0]?.bindings[0]).toBe("foreign");
    expect(batch.statements.slice(1).at(0)?.sql).toMatch(/^DELETE FROM /);
    expect(batch.statements.at(-1)?.sql).toMatch(/^SELECT EXISTS/);
    expect([batch.entriesLength, batch.state]).toEqual([0, state]);
    expect(chainRowOf(batch)).toMatchObject({ progress: expect.stringMatching(/^0 of \d+ tables$/) });
  });

  test("has copies after all pending entries, and makes them whole if none are left", () => {
    const { publication, put, next } = arrangeAnew(2);
    publication.startCopying();
    put();
    const batch = next();
    expect(batch.sent).toMatchObject({ sequence: 2, isWhole: true });
    expect(batch.sent).not.toHaveProperty("copied");
    expect(chainRowOf(batch)).toMatchObject({ progress: null });
  });

  test("has no copies if it has no room for all pending entries, and is not whole", () => {
    const { publication, put, next } = arrangeAnew(4, 12);
    publication.startCopying();
    put();
    const batch = next();
    expect(batch.sent).toMatchObject({ isWhole: false, copied: { step: "copy", table: 0 } });
    expect(batch.sent.sequence).toBeLessThan(4);
    expect(chainRowOf(batch)).toMatchObject({ progress: expect.stringMatching(/^0 of \d+ tables$/) });
  });

  test("is not whole while tables are left to be copied", () => {
    const { store, publication, next } = arrangeAnew(0, 10);
    const address = new Uint8Array(26) as Address;
    store.commit({ height: 1, step: 0 }, [written(accountTable, { address, balance: 1n, leaseIn: 0n, leaseOut: 0n })]);
    publication.startCopying();
    expect(next().sent).toMatchObject({ isWhole: false, copied: { step: "copy" } });
  });

  test("has the current state of the tables, regardless of the marks in pending entries", () => {
    const { store, publication, next } = arrangeAnew(0);
    publication.startCopying();
    markState(store.sql, { ...state, version: "earlier", height: 3 });
    expect(next().state).toEqual(state);
  });
});

describe("the statements of a batch", () => {
  const { store } = testStore();
  const [first, second] = [accountTable, balanceHistoryTable].map((table) => store.tables.numberOf(table)) as [
    number,
    number,
  ];

  test("put rows of one table into one statement, and keep their order if some are deleted in between", () => {
    const batch = new BatchStatements(store.tables);
    batch.add(first, false, "[1]");
    batch.add(second, false, "[2]");
    batch.add(first, false, "[3,4]");
    batch.add(first, true, "[5]");
    batch.add(first, false, "[6]");
    expect(batch.statements()).toEqual([
      { sql: accountTable.publishSql, bindings: ["[1,3,4]"] },
      { sql: balanceHistoryTable.publishSql, bindings: ["[2]"] },
      { sql: accountTable.removeSql, bindings: ["[5]"] },
      { sql: accountTable.publishSql, bindings: ["[6]"] },
    ]);
    expect(batch.length).toBe(3 + 3 + 5 + 3 + 3);
  });

  test("put no more into one parameter than it holds, at three bytes a character", () => {
    const batch = new BatchStatements(store.tables);
    const rows = (length: number) => `["${"x".repeat(length - 4)}"]`;
    batch.add(first, false, rows(300_000));
    batch.add(first, false, rows(200_000));
    expect(batch.statements()).toHaveLength(1);
    batch.add(first, false, rows(4));
    expect(batch.statements()).toHaveLength(2);
  });

  test("are a hundred at most, or six million characters", () => {
    const many = new BatchStatements(store.tables);
    for (let count = 0; count < 99; count++) many.add(first, count % 2 === 0, "[1]");
    expect(many.isFull).toBe(false);
    many.add(first, true, "[1]");
    expect([many.isFull, many.statements().length]).toEqual([false, 99]);
    many.add(first, false, "[1]");
    expect([many.isFull, many.statements().length]).toEqual([true, 100]);
    const long = new BatchStatements(store.tables);
    long.add(first, false, `["${"x".repeat(5_999_995)}"]`);
    expect([long.isFull, long.length]).toEqual([false, 5_999_999]);
    long.add(second, false, "1");
    expect(long.isFull).toBe(true);
  });
});

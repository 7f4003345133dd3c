import { expect, test } from "vitest";
import type { Database } from "../../src/read-model/database.ts";
import { meteredDatabase } from "../../src/read-model/metered-database.ts";

/** Each statement is a number: that many rows read, or no count if it is negative. */
function database(): Database {
  const batch = async (statements: readonly unknown[]) =>
    statements.map((rows) => ({ results: [], meta: Number(rows) < 0 ? {} : { rows_read: rows } }));
  const prepare = (sql: string) => Number(sql);
  const session = { prepare, batch, getBookmark: () => "bookmark" };
  return { prepare, batch, withSession: () => session } as unknown as Database;
}

test("batches are counted with the rows that they have read, in sessions as well", async () => {
  const batches: number[] = [];
  const metered = meteredDatabase(database(), (rowsRead) => batches.push(rowsRead));
  await metered.batch([metered.prepare("2"), metered.prepare("3")]);
  const session = metered.withSession("first-primary");
  await session.batch([session.prepare("7")]);
  expect(session.getBookmark()).toBe("bookmark");
  await metered.batch([metered.prepare("-1")]);
  expect(batches).toEqual([5, 7, 0]);
});

test("a batch that fails is not counted", async () => {
  const failing = { ...database(), batch: () => Promise.reject(new Error("away")) };
  const batches: number[] = [];
  await expect(meteredDatabase(failing, (rowsRead) => batches.push(rowsRead)).batch([])).rejects.toThrow("away");
  expect(batches).toEqual([]);
});

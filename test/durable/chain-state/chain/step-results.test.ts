import { expect, test } from "vitest";
import { StepResults } from "../../../../durable/chain-state/chain/step-results.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";

const resultOf = (number: number) => ({ step: new Uint8Array(32).fill(number), result: Uint8Array.of(number) });

test("results are found by their steps, by a later instance on the same database too", () => {
  const database = testDatabase();
  const results = new StepResults(database);
  expect(results.find(resultOf(1).step)).toBeUndefined();
  results.add([resultOf(1), resultOf(2)]);
  for (const each of [results, new StepResults(database)]) {
    expect(each.find(resultOf(2).step)).toEqual(Uint8Array.of(2));
    expect(each.find(resultOf(3).step)).toBeUndefined();
  }
});

test("the oldest results are dropped when there are too many", () => {
  const database = testDatabase();
  new StepResults(database, 3).add([1, 2, 3].map(resultOf));
  const results = new StepResults(database, 3);
  results.add([4, 5].map(resultOf));
  const found = [1, 2, 3, 4, 5].filter((number) => results.find(resultOf(number).step) !== undefined);
  expect(found).toEqual([3, 4, 5]);
});

test("cleared results leave no table, and new ones may be stored", () => {
  const database = testDatabase();
  const results = new StepResults(database);
  results.clear();
  results.add([resultOf(1)]);
  results.clear();
  expect(database.database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'step_result'").get()).toBeUndefined();
  expect(results.find(resultOf(1).step)).toBeUndefined();
  results.add([resultOf(1)]);
  expect(results.find(resultOf(1).step)).toEqual(Uint8Array.of(1));
});

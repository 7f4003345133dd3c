import { expect, test } from "vitest";
import { generatorRows } from "../../../../../durable/chain-state/chain/rows/generator-rows.ts";
import type { GeneratorSet } from "../../../../../src/rules/finality/generator-set.ts";
import { generatorBalanceTable } from "../../../../../src/tables/commitments.ts";

const period = { start: 16, end: 25 };
const generators = (...weights: readonly bigint[]): GeneratorSet => ({ committed: [], weights, conflicts: new Map() });
const rowsAt = (height: number, now: GeneratorSet, before: GeneratorSet) =>
  generatorRows(height, period, now, before).map(({ table, row, isNew }) => {
    expect(table).toBe(generatorBalanceTable);
    expect(isNew).toBe(true);
    return row;
  });

test("the first block of a period has each member's weight, regardless of earlier rows, and no row for those who may not generate", () => {
  expect(rowsAt(16, generators(5n, 0n, 7n), generators(5n, 1n, 7n))).toEqual([
    { periodStart: 16, position: 0, height: 16, balance: 5n },
    { periodStart: 16, position: 2, height: 16, balance: 7n },
  ]);
});

test("later ones have the changes, a fall to zero too", () => {
  expect(rowsAt(17, generators(5n, 0n, 7n), generators(5n, 4n, 6n))).toEqual([
    { periodStart: 16, position: 1, height: 17, balance: 0n },
    { periodStart: 16, position: 2, height: 17, balance: 7n },
  ]);
  expect(rowsAt(18, generators(5n, 0n), generators(5n, 0n))).toEqual([]);
  expect(rowsAt(17, generators(), generators())).toEqual([]);
});

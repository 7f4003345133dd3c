/** Rows of a key block's votes and approvals. */
import { describe, expect, test } from "vitest";
import { featureRows, preActivatedFeatureRows } from "../../../../../durable/chain-state/chain/rows/feature-rows.ts";
import { featureTable, featureVoteTable } from "../../../../../src/tables/features.ts";
import { added, written } from "../../../../../src/tables/schema/row-change.ts";
import type { RowOf } from "../../../../../src/tables/schema/table.ts";
import { TableView } from "../../../../../src/tables/view/table-view.ts";
import { testStore } from "../../../../support/builders/test-store.ts";
import { InMemoryState } from "../../../../support/fakes/in-memory-state.ts";

type Votes = RowOf<typeof featureVoteTable>;
/** Windows of ten blocks, in which four votes approve. */
const functionality = {
  ...{ featureCheckBlocksPeriod: 10, blocksForFeatureActivation: 4, doubleFeaturesPeriodsAfterHeight: 1_000 },
  preActivatedFeatures: new Map([
    [1, 0],
    [2, 7],
  ]),
};
const votes = (feature: number, windowStart: number, count: number): Votes => ({ feature, windowStart, votes: count });

function rowsAt(
  height: number,
  featureVotes: readonly number[],
  before: readonly Votes[] = [],
  approved: number[] = [],
) {
  const { store } = testStore();
  store.commit({ height: 1, step: 0 }, [
    ...before.map((row) => added(featureVoteTable, row)),
    ...approved.map((id) => added(featureTable, { id, activationHeight: 5 })),
  ]);
  const view = new TableView(store, new InMemoryState({ functionality }).settings);
  return featureRows({ featureVotes }, height, view, store);
}

test("features active from the start have their heights", () => {
  const view = new TableView(testStore().store, new InMemoryState({ functionality }).settings);
  expect(preActivatedFeatureRows(view)).toEqual([
    added(featureTable, { id: 1, activationHeight: 0 }),
    added(featureTable, { id: 2, activationHeight: 7 }),
  ]);
});

describe("votes", () => {
  test("add to those of the window, each as often as the block names it", () => {
    expect(rowsAt(15, [30, 31, 30], [votes(30, 11, 5), votes(30, 1, 9)])).toEqual([
      written(featureVoteTable, votes(30, 11, 7)),
      written(featureVoteTable, votes(31, 11, 1)),
    ]);
  });

  test("of nothing change nothing", () => {
    expect(rowsAt(15, [], [votes(30, 11, 5)])).toEqual([]);
  });
});

describe("the last block of a window", () => {
  test("approves features with enough votes including its own, whether or not it votes, one window later", () => {
    const before = [votes(30, 11, 4), votes(31, 11, 3), votes(32, 11, 3), votes(33, 1, 9)];
    expect(rowsAt(20, [32], before)).toEqual([
      written(featureVoteTable, votes(32, 11, 4)),
      added(featureTable, { id: 30, activationHeight: 30 }),
      added(featureTable, { id: 32, activationHeight: 30 }),
    ]);
    expect(rowsAt(20, [], before)).toEqual([added(featureTable, { id: 30, activationHeight: 30 })]);
    expect(rowsAt(19, [], before)).toEqual([]);
  });

  test("of doubled size counts the shorter windows that it holds", () => {
    const { store } = testStore();
    const doubled = { ...functionality, blocksForFeatureActivation: 8, doubleFeaturesPeriodsAfterHeight: 15 };
    const view = new TableView(store, new InMemoryState({ functionality: doubled }).settings);
    for (let height = 5; height <= 20; height++)
      store.commit({ height, step: 0 }, featureRows({ featureVotes: [30] }, height, view, store));
    // Blocks 5 to 20 have 16 votes. So far, 11 to 15 were counted separately: the long window needs 16.
    expect(store.find(featureTable, { id: 30 })?.activationHeight).toBe(40);
  });

  test("approves nothing twice", () => {
    expect(rowsAt(20, [], [votes(30, 11, 9)], [30])).toEqual([]);
  });
});

/** Tables whose rows are in a checkpoint, and the heights from which on. */

import type { CheckpointPast } from "../../../src/env.ts";
import { rewardVoting } from "../../../src/rules/consensus/block-reward.ts";
import { maxForkDepth } from "../../../src/rules/finality/finalized-height.ts";
import { tablesOf } from "../../../src/tables/all-tables.ts";
import type { CheckpointShare, Row, Table } from "../../../src/tables/schema/table.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";
import type { StateStore } from "../state/state-store.ts";

/** Minimum of blocks in a checkpoint, whatever else of the past it contains, if the chain has them. */
const CARRIED_BLOCKS = 2_000;
/** Fair PoS draws from a block a hundred below, and base targets look two further back. */
const HEADER_DEPTH = 110;

/** Tables in the order of the checkpoint; those with the blocks are among the others. */
export const carriedTables: readonly Table[] = tablesOf.object.filter(({ inCheckpoint }) => inCheckpoint !== "none");

/** First heights whose rows are included. */
export type CarriedFrom = Readonly<Record<Exclude<CheckpointShare, "none">, number>>;

export interface CarriedTablesOptions {
  readonly store: StateStore;
  readonly view: TableView;
  readonly past: CheckpointPast;
}

export function carriedFrom({ store, view, past }: CarriedTablesOptions): CarriedFrom {
  const lowest = lowestForkHeight(view);
  const known = Number(store.scalar("SELECT MIN(height) FROM block"));
  const first = past === "all" ? known : Math.max(firstHeightNeededByRules(store, view), known);
  const forkable = Math.min(Math.max(lowest, store.lowestRollbackHeight()) + 1, view.height);
  return { all: 0, allOfLists: 0, ofItsBlocks: first, ofForkableBlocks: forkable };
}

/** Lowest block to which a fork may go back. */
function lowestForkHeight({ height }: TableView): number {
  return Math.max(height - maxForkDepth, 1);
}

/**
 * First block that a node needs to continue from the view's tip, unless a script reads an earlier one: two thousand
 * blocks, and whatever the rules need besides, from the lowest block to which a fork may go back. These are the votes
 * for the reward of the term, and ids for as long as a transaction may still repeat.
 */
function firstHeightNeededByRules(store: StateStore, view: TableView): number {
  const { height, settings } = view;
  const { maxTransactionTimeBackOffsetMs, maxTransactionTimeForwardOffsetMs } = settings.functionality;
  const lowest = lowestForkHeight(view);
  // A transaction that other nodes accept a second time does not depend on older ids; one that is still of the right
  // age must be refused here.
  const [back, forward] = [maxTransactionTimeBackOffsetMs, maxTransactionTimeForwardOffsetMs];
  const earliest = (view.findBlockRow(lowest)?.timestamp ?? 0n) - back - (back > forward ? back : forward);
  const before = store.scalar(
    "SELECT height FROM block WHERE height <= ?1 AND timestamp < CAST(?2 AS INTEGER) ORDER BY height DESC LIMIT 1",
    lowest,
    String(earliest),
  );
  const votesFrom = rewardVoting(lowest, view, settings.rewards)?.interval.from ?? height;
  return Math.min(height - CARRIED_BLOCKS + 1, lowest - HEADER_DEPTH, Number(before ?? 0) + 1, votesFrom);
}

/** Whether a row of the table is included. */
export function isCarried({ inCheckpoint }: Table, row: Row, from: CarriedFrom): boolean {
  if (inCheckpoint === "none") return false;
  return from[inCheckpoint] === 0 || (row["height"] as number) >= from[inCheckpoint];
}

/** Key before the first included row; undefined: it may be anywhere. */
export function keyBefore({ inCheckpoint, key }: Table, from: CarriedFrom): Row | undefined {
  if (inCheckpoint === "none" || from[inCheckpoint] === 0 || key[0] !== "height") return undefined;
  // The other columns of such keys count commits, positions and chunks.
  return Object.fromEntries(
    key.map((field) => [field, field === "height" ? from[inCheckpoint] - 1 : Number.MAX_SAFE_INTEGER]),
  );
}

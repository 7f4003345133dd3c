/** The tables of which a checkpoint has rows, and from which height on. */

import type { CheckpointPast } from "../../src/env.ts";
import { rewardVoting } from "../../src/rules/consensus/block-reward.ts";
import { maxForkDepth } from "../../src/rules/finality/finalized-height.ts";
import { tablesOf } from "../../src/tables/all-tables.ts";
import type { CheckpointShare, Row, Table } from "../../src/tables/schema/table.ts";
import type { TableView } from "../../src/tables/view/table-view.ts";
import type { StateStore } from "../state/state-store.ts";

/** Blocks that a checkpoint has at least, whatever of the past it has, where the chain has them. */
const CARRIED_BLOCKS = 2_000;
/** Fair PoS draws from a block a hundred below, and base targets look two further back. */
const HEADER_DEPTH = 110;

/** In their order: those with the blocks stand among the others. */
export const carriedTables: readonly Table[] = tablesOf.object.filter(({ inCheckpoint }) => inCheckpoint !== "none");

/** The heights whose rows are carried, from these on. */
export type CarriedFrom = Readonly<Record<Exclude<CheckpointShare, "none">, number>>;

export interface CarriedFacts {
  readonly store: StateStore;
  readonly view: TableView;
  readonly past: CheckpointPast;
}

export function carriedFrom({ store, view, past }: CarriedFacts): CarriedFrom {
  const lowest = lowestForkHeight(view);
  const known = Number(store.scalar("SELECT MIN(height) FROM block"));
  const first = past === "all" ? known : Math.max(firstAskedByRules(store, view), known);
  const forkable = Math.min(Math.max(lowest, store.lowestRollbackHeight()) + 1, view.height);
  return { all: 0, allOfLists: 0, ofItsBlocks: first, ofForkableBlocks: forkable };
}

/** The lowest block that a fork may go back to. */
function lowestForkHeight({ height }: TableView): number {
  return Math.max(height - maxForkDepth, 1);
}

/**
 * The first block that a node needs that goes on from the view's tip, as long as no script asks for more: two thousand, and whatever
 * the rules ask for besides, from the lowest block on that a fork may go back to. Those are the votes for the reward of the term, and ids
 * for as long as a transaction may still come a second time.
 */
function firstAskedByRules(store: StateStore, view: TableView): number {
  const { height, settings } = view;
  const { maxTransactionTimeBackOffsetMs, maxTransactionTimeForwardOffsetMs } = settings.functionality;
  const lowest = lowestForkHeight(view);
  // What others take a second time does not depend on older ones; what may still come as one of the right age is not taken here.
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

/** Whether a row of the table is carried. */
export function isCarried({ inCheckpoint }: Table, row: Row, from: CarriedFrom): boolean {
  if (inCheckpoint === "none") return false;
  return from[inCheckpoint] === 0 || (row["height"] as number) >= from[inCheckpoint];
}

/** The key behind which the first row may stand that is carried; undefined: there may be one anywhere. */
export function keyBefore({ inCheckpoint, key }: Table, from: CarriedFrom): Row | undefined {
  if (inCheckpoint === "none" || from[inCheckpoint] === 0 || key[0] !== "height") return undefined;
  // The other columns of such keys count steps, positions and parts.
  return Object.fromEntries(
    key.map((field) => [field, field === "height" ? from[inCheckpoint] - 1 : Number.MAX_SAFE_INTEGER]),
  );
}

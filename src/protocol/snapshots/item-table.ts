/**
 * Tables of functions for the items of each list of a state snapshot. Every reader of snapshots has such a table, and
 * so handles every list: after a new list is added, the tables without it do not compile.
 */
import type { Snapshot, SnapshotItem, SnapshotMember } from "./snapshot.ts";

/** A function for each list. @template Inputs parameters in addition to the item */
export type ItemTable<Result, Inputs extends readonly unknown[] = []> = {
  readonly [Member in SnapshotMember]: (item: SnapshotItem<Member>, ...inputs: Inputs) => Result;
};

/** For lists that a table ignores. */
export const nothingOf = (): readonly never[] => [];

/**
 * Concatenates the results of the table for all items, list by list in the table's order. Cost: linear in the items.
 */
export function flatMapItems<Result, Inputs extends readonly unknown[]>(
  snapshot: Snapshot,
  table: ItemTable<readonly Result[], Inputs>,
  ...inputs: Inputs
): Result[] {
  const results: Result[] = [];
  for (const member of Object.keys(table) as SnapshotMember[]) addResults(member, snapshot, table, inputs, results);
  return results;
}

function addResults<Member extends SnapshotMember, Result, Inputs extends readonly unknown[]>(
  member: Member,
  { [member]: items }: Snapshot,
  table: ItemTable<readonly Result[], Inputs>,
  inputs: Inputs,
  results: Result[],
): void {
  if (items === undefined) return;
  const resultsOf: (item: SnapshotItem<Member>, ...inputs: Inputs) => readonly Result[] = table[member];
  for (const item of items as readonly SnapshotItem<Member>[]) results.push(...resultsOf(item, ...inputs));
}

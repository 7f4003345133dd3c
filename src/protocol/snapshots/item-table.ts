/**
 * What is done with the items of each list of a change set. Whoever looks at change sets has such a table, and so says for every
 * list what comes of it: one that is added later does not compile until all of them know it.
 */
import type { Snapshot, SnapshotItem, SnapshotMember } from "./snapshot.ts";

/** A function for each list. @template Facts what it is given beside the item */
export type ItemTable<Result, Facts extends readonly unknown[] = []> = {
  readonly [Member in SnapshotMember]: (item: SnapshotItem<Member>, ...facts: Facts) => Result;
};

/** Of lists that are of no interest. */
export const nothingOf = (): readonly never[] => [];

/** What the table makes of each item, together, list by list in its own order. Cost: linear in the items. */
export function flatMapItems<Result, Facts extends readonly unknown[]>(
  snapshot: Snapshot,
  table: ItemTable<readonly Result[], Facts>,
  ...facts: Facts
): Result[] {
  const results: Result[] = [];
  for (const member of Object.keys(table) as SnapshotMember[]) addResults(member, snapshot, table, facts, results);
  return results;
}

function addResults<Member extends SnapshotMember, Result, Facts extends readonly unknown[]>(
  member: Member,
  { [member]: items }: Snapshot,
  table: ItemTable<readonly Result[], Facts>,
  facts: Facts,
  results: Result[],
): void {
  if (items === undefined) return;
  const resultsOf: (item: SnapshotItem<Member>, ...facts: Facts) => readonly Result[] = table[member];
  for (const item of items as readonly SnapshotItem<Member>[]) results.push(...resultsOf(item, ...facts));
}

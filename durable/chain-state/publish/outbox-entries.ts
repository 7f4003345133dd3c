/** Selection of the outbox entries for a batch: whole changes of the chain, unless a single one exceeds a batch. */
import { outboxTable } from "../../../src/tables/journal.ts";
import type { RowOf } from "../../../src/tables/schema/table.ts";
import { markedState, type PublishedState } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import type { BatchStatements } from "./batch-statements.ts";

type Entry = RowOf<typeof outboxTable>;

/** Entries in one read: each has 2 MB at most. */
const READ_ENTRIES = 8;

export interface BatchedEntries {
  /** Number of the last batched entry, or the given number if there was none. */
  readonly sequence: number;
  /** Length of the batched texts. */
  readonly length: number;
  /** State of the tables after these entries; undefined if none is marked there. */
  readonly state: PublishedState | undefined;
}

/**
 * Adds the oldest entries: as many changes as there is room for, or a part of the first one.
 * @param after number of the last published entry
 */
export function addEntries(batch: BatchStatements, store: StateStore, after: number): BatchedEntries {
  let batched: BatchedEntries = { sequence: after, length: 0, state: undefined };
  let change: Entry[] = [];
  let length = 0;
  const addChange = (state: PublishedState | undefined): void => {
    for (const { tableNumber, removes, rows } of change) batch.add(tableNumber, removes, rows);
    batched = { sequence: change.at(-1)?.seq ?? batched.sequence, length: batched.length + length, state };
    change = [];
    length = 0;
  };
  for (const entry of entriesAfter(store, after)) {
    const state = markedState(entry);
    if (state !== undefined) {
      addChange(state);
      batched = { ...batched, sequence: entry.seq, length: batched.length + entry.rows.length };
      if (batch.isFull) return batched;
      continue;
    }
    change.push(entry);
    length += entry.rows.length;
    if (batch.hasRoomFor({ statements: change.length, length })) continue;
    // The current change waits for the next batch, unless it would exceed that, too.
    if (batched.state === undefined) addChange(undefined);
    return batched;
  }
  if (change.length > 0) addChange(undefined);
  return batched;
}

function* entriesAfter(store: StateStore, after: number): Iterable<Entry> {
  for (let sequence = after; ; ) {
    const entries = store.query(outboxTable, "WHERE seq > ? ORDER BY seq LIMIT ?", sequence, READ_ENTRIES);
    yield* entries;
    sequence = entries.at(-1)?.seq ?? sequence;
    if (entries.length < READ_ENTRIES) return;
  }
}

/** How much of the outbox one batch takes: whole changes of the chain, wherever one has room in a batch. */
import { outboxTable } from "../../src/tables/journal.ts";
import type { RowOf } from "../../src/tables/schema/table.ts";
import { markedState, type PublishedState } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import type { BatchStatements } from "./batch-statements.ts";

type Entry = RowOf<typeof outboxTable>;

/** Entries read at a time: one has 2 MB at most. */
const READ_ENTRIES = 8;

export interface TakenEntries {
  /** Number of the last one, or the one behind which there was none. */
  readonly sequence: number;
  /** Length of what they took in the outbox. */
  readonly length: number;
  /** The state that the tables show behind them; undefined where none is marked there. */
  readonly state: PublishedState | undefined;
}

/** Adds the oldest entries: as many changes as there is room for, or of the first one a part. @param after their number */
export function addEntries(batch: BatchStatements, store: StateStore, after: number): TakenEntries {
  let taken: TakenEntries = { sequence: after, length: 0, state: undefined };
  let change: Entry[] = [];
  let length = 0;
  const take = (state: PublishedState | undefined): void => {
    for (const { tableNumber, removes, rows } of change) batch.add(tableNumber, removes, rows);
    taken = { sequence: change.at(-1)?.seq ?? taken.sequence, length: taken.length + length, state };
    change = [];
    length = 0;
  };
  for (const entry of entriesAfter(store, after)) {
    const state = markedState(entry);
    if (state !== undefined) {
      take(state);
      taken = { ...taken, sequence: entry.seq, length: taken.length + entry.rows.length };
      if (batch.isFull) return taken;
      continue;
    }
    change.push(entry);
    length += entry.rows.length;
    if (batch.hasRoomFor({ statements: change.length, length })) continue;
    // The change at hand waits for the next batch, unless it would have no room there either.
    if (taken.state === undefined) take(undefined);
    return taken;
  }
  if (change.length > 0) take(undefined);
  return taken;
}

function* entriesAfter(store: StateStore, after: number): Iterable<Entry> {
  for (let sequence = after; ; ) {
    const entries = store.query(outboxTable, "WHERE seq > ? ORDER BY seq LIMIT ?", sequence, READ_ENTRIES);
    yield* entries;
    sequence = entries.at(-1)?.seq ?? sequence;
    if (entries.length < READ_ENTRIES) return;
  }
}

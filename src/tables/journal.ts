/** What the store keeps of its steps: how to take them back, and what of them is to be published. */
import { flag, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const undoTable = table({
  name: "undo",
  comment: "What each step overwrote: JSON array of [number of the table, key, earlier row or null], in parts.",
  key: ["height", "step", "part"],
  columns: { height: int, step: int, part: int, entries: text },
  published: false,
  inCheckpoint: "ofForkableBlocks",
});

/** `tableNumber` of an entry that is no rows: behind it the tables show one state; `rows` names it (`PublishedState`). */
export const STATE_MARK = -1;

export const outboxTable = table({
  name: "outbox",
  comment: "Published rows in the order of their writing. rows: JSON array of rows, or of keys where rows are removed.",
  key: ["seq"],
  columns: { seq: int, tableNumber: int, removes: flag, rows: text },
  published: false,
  inCheckpoint: "none",
  numbered: "once",
});

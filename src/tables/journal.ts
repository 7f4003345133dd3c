/** Undo journal of the store's commits, and outbox of changes to publish. */
import { flag, int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const undoTable = table({
  name: "undo",
  comment: "Values before each commit: JSON array of [number of the table, key, earlier row or null], in parts.",
  key: ["height", "step", "part"],
  columns: { height: int, step: int, part: int, entries: text },
  published: false,
  inCheckpoint: "ofForkableBlocks",
});

/**
 * `tableNumber` of an entry without rows: up to it, the tables show one state; `rows` names that (`PublishedState`).
 */
export const STATE_MARK = -1;

export const outboxTable = table({
  name: "outbox",
  comment: "Published rows in the order of writing. rows: JSON array of rows, or of keys if rows are removed.",
  key: ["seq"],
  columns: { seq: int, tableNumber: int, removes: flag, rows: text },
  published: false,
  inCheckpoint: "none",
  numbered: "once",
});

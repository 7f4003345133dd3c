import type { Migration } from "./migration.ts";

/** Undo records come in parts: what a block overwrites can be more than one row holds. */
export const undoParts: Migration = {
  version: 3,
  title: "undo records come in parts",
  object: [
    "ALTER TABLE undo RENAME TO undo_in_one",
    `CREATE TABLE undo (
      /* What each step overwrote: JSON array of [number of the table, key, earlier row or null], in parts. */
      height INTEGER NOT NULL,
      step INTEGER NOT NULL,
      part INTEGER NOT NULL,
      entries TEXT NOT NULL,
      PRIMARY KEY (height, step, part)
    ) WITHOUT ROWID`,
    "INSERT INTO undo SELECT height, step, 0, entries FROM undo_in_one",
    "DROP TABLE undo_in_one",
  ],
  readModel: [],
};

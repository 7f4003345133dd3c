import type { Migration } from "./migration.ts";

/** Number of the table in the outbox. */
const ALIAS = 9;
/** Maximum of rows in an outbox entry: its text stays far below the maximum size of a value. */
const ENTRY_ROWS = 2_000;

/** Adds to the read model the aliases that are unusable because they were taken over. */
export const aliasesTakenOver: Migration = {
  version: 5,
  title: "the read model knows which aliases were taken over",
  object: [
    // The few rows for which the column's default is wrong; only mainnet has any.
    `INSERT INTO outbox (table_number, removes, rows)
      SELECT ${ALIAS}, 0, json_group_array(json_array(name, lower(hex(address)), taken_over)) FROM (
        SELECT name, address, taken_over, (ROW_NUMBER() OVER (ORDER BY name) - 1) / ${ENTRY_ROWS} AS entry
        FROM alias WHERE taken_over = 1
      ) GROUP BY entry ORDER BY entry`,
  ],
  readModel: ["ALTER TABLE alias ADD COLUMN taken_over INTEGER NOT NULL DEFAULT 0 /* 0 no, 1 yes */"],
};

import type { Migration } from "./migration.ts";

const microBlockSql = `CREATE TABLE micro_block (
  /* Forms that the liquid block has had, with their total block ids: position 0 is the key block alone. used_…: what its
transactions have used of the block's limits by then. */
  height INTEGER NOT NULL,
  position INTEGER NOT NULL,
  total_block_id BLOB NOT NULL,
  PRIMARY KEY (height, position)
) WITHOUT ROWID`;

/** Numbers in the outbox: of the table, and of the mark that names the state of its rows. */
const MICRO_BLOCK = 1;
const STATE_MARK = -1;
const isWaiting = "EXISTS (SELECT 1 FROM outbox)";

/**
 * Adds the past ids of the liquid block to the read model. Those of the block that is liquid at the upgrade are
 * published with the pending changes; if nothing is pending, the ids of the next block are the first ones.
 */
export const formsOfLiquidBlock: Migration = {
  version: 11,
  title: "the read model has every id of the liquid block",
  object: [
    `INSERT INTO outbox (table_number, removes, rows)
      SELECT ${MICRO_BLOCK}, 0, json_group_array(json_array(height, position, hex(total_block_id), timestamp, used_size_bytes,
        CAST(used_complexity AS TEXT))) FROM micro_block WHERE ${isWaiting} HAVING count(*) > 0`,
    `INSERT INTO outbox (table_number, removes, rows)
      SELECT table_number, removes, rows FROM outbox WHERE table_number = ${STATE_MARK} ORDER BY seq DESC LIMIT 1`,
  ],
  readModel: [microBlockSql],
};

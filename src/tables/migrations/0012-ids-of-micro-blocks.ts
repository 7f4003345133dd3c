import type { Migration } from "./migration.ts";

const byIdSql = "CREATE INDEX micro_block_by_id ON micro_block (height, total_block_id, position)";

/**
 * A generator may send any number of micro-blocks: the index finds an id of the liquid block without reading all of
 * them.
 */
export const idsOfMicroBlocks: Migration = {
  version: 12,
  title: "ids of the liquid block by an index",
  object: [byIdSql],
  readModel: [byIdSql],
};

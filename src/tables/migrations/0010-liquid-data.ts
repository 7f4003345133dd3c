import type { Migration } from "./migration.ts";

const liquidDataSql = `CREATE TABLE liquid_data (/* What scripts see of the tip's data where data_entry and data_owner do not say; no rows of blocks below the tip. account: a data
transaction without entries. spelling: a key with ?, or with a half of a surrogate pair, which is ? in data_entry: its entry, NULL for a
deleted one. others: of all such keys that are the same in data_entry, the entry of before the block, NULL for none. */
  address BLOB NOT NULL,
  kind INTEGER NOT NULL /* 0 account, 1 spelling, 2 others */,
  key BLOB NOT NULL /* UTF-16 */,
  value BLOB /* a tag (0 integer, 1 boolean, 2 binary, 3 string), then 8 bytes, 1 byte, the bytes, or UTF-8; 4 is a string in UTF-16 */,
  PRIMARY KEY (address, kind, key)
) WITHOUT ROWID`;

/**
 * A tip of an older release gets no rows: the data of its scripts differ for that one block, and only for keys with
 * unpaired surrogates.
 */
export const liquidData: Migration = {
  version: 10,
  title: "data of the liquid block as scripts see it before it is stored",
  object: [liquidDataSql],
  readModel: [liquidDataSql],
};

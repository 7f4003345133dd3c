import type { Migration } from "./migration.ts";

const challengeSql = `CREATE TABLE challenge (
  /* Accounts whose blocks were challenged, by the height of the block that did it: their effective balance is 0 there. */
  address BLOB NOT NULL,
  height INTEGER NOT NULL,
  PRIMARY KEY (address, height)
) WITHOUT ROWID`;
const byHeightSql = "CREATE INDEX challenge_by_height ON challenge (height)";

/** Older releases accepted no challenging blocks: there are no rows to fill in. */
export const challenges: Migration = {
  version: 7,
  title: "at which heights blocks of which accounts were challenged",
  object: [challengeSql, byHeightSql],
  readModel: [challengeSql, byHeightSql],
};

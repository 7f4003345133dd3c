import type { Migration } from "./migration.ts";

const heightSql = "ALTER TABLE liquid_data ADD COLUMN height INTEGER NOT NULL DEFAULT 0";
const tipSql = "UPDATE liquid_data SET height = (SELECT MAX(height) FROM block)";

/** Older rows all belong to the tip. Rows that a rollback restores count as outdated. */
export const rememberedSpellings: Migration = {
  version: 13,
  title: "spellings of data keys are remembered beyond the liquid block",
  object: [heightSql, tipSql, "CREATE INDEX liquid_data_by_height ON liquid_data (height)"],
  readModel: [heightSql, tipSql],
};

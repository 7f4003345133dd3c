import type { Migration } from "./migration.ts";

/**
 * The read model has transactions as JSON, too. Rows that are there have none, and their JSON is made of their bytes when it is
 * asked for: to make it for a long chain would take the publisher hours.
 */
export const transactionsAsJson: Migration = {
  version: 6,
  title: "the read model has the JSON of transactions, ready to be joined",
  object: [],
  readModel: ["ALTER TABLE tx ADD COLUMN json TEXT"],
};

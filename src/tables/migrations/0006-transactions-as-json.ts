import type { Migration } from "./migration.ts";

/**
 * Adds JSON of transactions to the read model. Existing rows have none, and readers build it from their bytes: for a
 * long chain the publisher would take hours.
 */
export const transactionsAsJson: Migration = {
  version: 6,
  title: "the read model has the JSON of transactions, ready to be joined",
  object: [],
  readModel: ["ALTER TABLE tx ADD COLUMN json TEXT"],
};

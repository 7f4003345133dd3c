import type { Migration } from "./migration.ts";

const commitmentSql = `CREATE TABLE commitment (
  /* Commitments to generate in a period, by the period's first height, in the order of their transactions from 0 on. endorser_key:
BLS key, 48 bytes. height: of the transaction's block. */
  period_start INTEGER NOT NULL,
  position INTEGER NOT NULL,
  address BLOB NOT NULL,
  public_key BLOB NOT NULL,
  endorser_key BLOB NOT NULL,
  tx_id BLOB NOT NULL,
  height INTEGER NOT NULL,
  PRIMARY KEY (period_start, position)
) WITHOUT ROWID`;
const byAddressSql = "CREATE INDEX commitment_by_address ON commitment (address, period_start)";
const conflictSql = `CREATE TABLE generator_conflict (
  /* Generators of a period whose endorsements contradicted the chain, by the position of their commitment. height: of the block that
carried the contradiction. */
  period_start INTEGER NOT NULL,
  position INTEGER NOT NULL,
  height INTEGER NOT NULL,
  PRIMARY KEY (period_start, position)
) WITHOUT ROWID`;
const balanceSql = `CREATE TABLE generator_balance (
  /* What a generator of a period counts for, by the position of its commitment: its generating balance before the block, wavelets, or 0
where that is too little. A row holds from its height on, until the next one of the same generator and period. Which of them
contradicted themselves, generator_conflict says. */
  period_start INTEGER NOT NULL,
  position INTEGER NOT NULL,
  height INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  PRIMARY KEY (period_start, position, height)
) WITHOUT ROWID`;
const finalizedHeightSql = "ALTER TABLE block ADD COLUMN finalized_height INTEGER NOT NULL DEFAULT 1";

/** Older releases stopped at the activation of feature 25: there are no rows to fill in. */
export const commitments: Migration = {
  version: 9,
  title: "commitments to generate, generators that contradicted themselves, finalized heights",
  object: [commitmentSql, byAddressSql, conflictSql, balanceSql, finalizedHeightSql],
  readModel: [commitmentSql, byAddressSql, conflictSql, balanceSql, finalizedHeightSql],
};

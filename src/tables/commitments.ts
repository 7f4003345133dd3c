/** Commitments to generate in periods, from feature 25 on, and conflicts of their generators. */
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { TransactionId } from "../protocol/transactions/transaction.ts";
import { bytes, i64, int, named } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const commitmentTable = table({
  name: "commitment",
  comment: `Commitments to generate in a period, by the period's first height, in the order of their transactions from 0 on. endorser_key:
BLS key, 48 bytes. height: of the transaction's block.`,
  key: ["periodStart", "position"],
  columns: {
    periodStart: int,
    position: int,
    address: bytes<Address>(),
    publicKey: bytes<PublicKey>(),
    endorserPublicKey: named("endorser_key", bytes()),
    transactionId: named("tx_id", bytes<TransactionId>()),
    height: int,
  },
  published: true,
  inCheckpoint: "all",
  // Commitments of an account.
  indexes: { commitment_by_address: { on: "address, period_start" } },
});
export type CommitmentRow = RowOf<typeof commitmentTable>;

export const generatorConflictTable = table({
  name: "generator_conflict",
  comment:
    "Generators of a period with endorsements that conflict with the chain, by the position of their commitment. height: of the block with the conflict.",
  key: ["periodStart", "position"],
  columns: { periodStart: int, position: int, height: int },
  published: true,
  inCheckpoint: "all",
});
export type GeneratorConflictRow = RowOf<typeof generatorConflictTable>;

export const generatorBalanceTable = table({
  name: "generator_balance",
  comment: `Generating balance of a generator in a period before the block, by the position of its commitment: wavelets, or 0 if too
low. A row is valid from its height to the next one of the same generator and period. Conflicts are in generator_conflict.`,
  key: ["periodStart", "position", "height"],
  columns: { periodStart: int, position: int, height: int, balance: i64 },
  published: true,
  inCheckpoint: "all",
});

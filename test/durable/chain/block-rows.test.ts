/** Rows of transactions whose ids the chain may have already. */
import { expect, it } from "vitest";
import { stepRows } from "../../../durable/chain/rows/block-rows.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { noUsage, type PlacedTransaction } from "../../../src/rules/blocks/block-run.ts";
import { type BlockRow, transactionTable } from "../../../src/tables/blocks.ts";
import { InMemoryState } from "../../rules/in-memory-state.ts";
import { sample } from "../../rules/transactions/samples.ts";

const lastTakenOver = 1_059_999;

/** Whether the row of the alias is taken for one that the table does not have. */
function isNew(height: number): boolean | undefined {
  const transaction = sample(TransactionType.CreateAlias);
  const { bytes } = transaction;
  const placed: PlacedTransaction = {
    transaction,
    bytes,
    status: "succeeded",
    snapshot: {},
    spentComplexity: 0n,
    addresses: [],
  };
  const row = { height, transactionCount: 1 } as BlockRow;
  const state = new InMemoryState({ height, schemeCharacter: "W", features: new Map() });
  const changes = stepRows(row, [placed], state, { position: 0, nowMs: 0, usage: noUsage, keepsSnapshots: false });
  const change = changes.find(({ table }) => table === transactionTable);
  return change !== undefined && "isNew" in change && change.isNew;
}

it("an alias may replace the row of the one whose name it takes over, so that a rollback brings that one back", () => {
  expect(isNew(lastTakenOver)).toBe(false);
  expect(isNew(lastTakenOver + 1)).toBe(true);
});

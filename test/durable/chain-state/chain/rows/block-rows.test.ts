/** Rows of a block and its transactions. */
import { describe, expect, test } from "vitest";
import { blockRow, commitRows } from "../../../../../durable/chain-state/chain/rows/block-rows.ts";
import type { Digest } from "../../../../../src/crypto/identities.ts";
import { Feature } from "../../../../../src/network/features.ts";
import { privateNetwork } from "../../../../../src/network/networks/private.ts";
import type { BlockId } from "../../../../../src/protocol/blocks/block.ts";
import { genesisBlock } from "../../../../../src/protocol/blocks/genesis-block.ts";
import { encodeTransactionSnapshot } from "../../../../../src/protocol/snapshots/transaction-snapshot.ts";
import { TransactionType } from "../../../../../src/protocol/transactions/transaction-type.ts";
import { encodeCallRecord } from "../../../../../src/ride/results/call-record.ts";
import { emptyCallResult } from "../../../../../src/ride/results/call-result.ts";
import type { AppliedBlock } from "../../../../../src/rules/blocks/apply-block.ts";
import type { IncludedTransaction } from "../../../../../src/rules/blocks/block-run.ts";
import { OverlayView } from "../../../../../src/rules/state/overlay-view.ts";
import { accountTable, balanceHistoryTable } from "../../../../../src/tables/accounts.ts";
import {
  type BlockRow,
  blockTable,
  microBlockTable,
  transactionAddressTable,
  transactionTable,
} from "../../../../../src/tables/blocks.ts";
import { added, written } from "../../../../../src/tables/schema/row-change.ts";
import { addresses, sample, transactionId } from "../../../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../../../support/fakes/in-memory-state.ts";

const { alice, bob, carol } = addresses;
const height = 7;
const row: BlockRow = {
  ...{ height, id: new Uint8Array(32).fill(7) as BlockId, header: new Uint8Array(), timestamp: 1n, generator: alice },
  ...{ sizeBytes: 0, transactionCount: 5, totalFee: 0n, reward: undefined, rewardVote: -1n, rewardShares: [] },
  ...{ vrf: undefined, wavesAmount: 0n, hitSource: new Uint8Array(), score: 0n, carryFee: 0n },
  stateHash: new Uint8Array(32) as Digest,
  finalizedHeight: 1,
};
const includedTransaction = (number: number): IncludedTransaction => ({
  transaction: sample(TransactionType.Transfer, { id: transactionId(number) }),
  ...{ bytes: Uint8Array.of(number), status: "succeeded", spentComplexity: 3n, addresses: [alice, bob] },
  snapshot: { balances: [{ address: alice, asset: null, balance: BigInt(number) }] },
});
const usage = { transactions: 5, sizeBytes: 60, scriptComplexity: 70n };

function rowsOf({
  position = 0,
  transactions = [includedTransaction(1)],
  storesSnapshots = false,
  features = [Feature.Ng] as number[],
}) {
  const base = new InMemoryState({ height: height - 1, features: new Map(features.map((id) => [id, 0])) });
  const overlay = new OverlayView(base, { height });
  overlay.apply({ balances: [{ address: alice, asset: null, balance: 9n }] });
  return commitRows(row, transactions, overlay, { position, nowMs: 11, usage, storesSnapshots });
}
const transactionRow = (number: number, position: number) => ({
  ...{ id: transactionId(number), height, position, type: TransactionType.Transfer, status: "succeeded" as const },
  ...{ spentComplexity: 3, bytes: Uint8Array.of(number), snapshot: undefined, callRecord: undefined },
});
const form = (position: number) => ({
  ...{ height, position, totalBlockId: row.id, timestamp: 11, usedSizeBytes: 60, usedComplexity: 70n },
});
const account = { address: alice, balance: 9n, leaseIn: 0n, leaseOut: 0n };

test("a block lists the shares of its reward, without empty ones, and less of it when WAVES were burnt", () => {
  const base = new InMemoryState({ settings: privateNetwork.blockchain, height: 0, features: new Map() });
  const applied: AppliedBlock = {
    ...{
      overlay: new OverlayView(base, { height: 1 }),
      included: [],
      usage,
      generator: alice,
      carryFee: 1n,
      totalFee: 2n,
    },
    ...{ reward: 3n, burnt: 4n, stateHash: row.stateHash as Digest },
    rewardShares: [
      { address: alice, amount: 1n },
      { address: bob, amount: 0n },
      { address: carol, amount: 2n },
    ],
  };
  const options = { hitSource: new Uint8Array(32), parent: undefined, sizeBytes: 9, finalizedHeight: 5 };
  expect(blockRow(genesisBlock(privateNetwork.blockchain), applied, options)).toMatchObject({
    ...{ height: 1, sizeBytes: 9, carryFee: 1n, totalFee: 2n, reward: 3n, generator: alice, finalizedHeight: 5 },
    wavesAmount: privateNetwork.blockchain.genesis.initialBalance + 3n - 4n,
    rewardShares: [
      { address: alice, amount: 1n },
      { address: carol, amount: 2n },
    ],
  });
});

describe("a commit", () => {
  test("has rows of its block, its form, its transactions after those of earlier commits, and of its changes", () => {
    expect(rowsOf({ transactions: [includedTransaction(1), includedTransaction(2)] })).toEqual([
      added(blockTable, row),
      added(microBlockTable, form(0)),
      ...[1, 2].flatMap((number) => [
        added(transactionTable, transactionRow(number, number + 2)),
        added(transactionAddressTable, { address: alice, height, position: number + 2 }),
        added(transactionAddressTable, { address: bob, height, position: number + 2 }),
      ]),
      written(accountTable, account),
      added(balanceHistoryTable, { ...account, height }),
    ]);
  });

  test("that extends a block writes the block's row again", () => {
    expect(rowsOf({ position: 2, transactions: [] })).toEqual([
      written(blockTable, row),
      added(microBlockTable, form(2)),
      written(accountTable, account),
      written(balanceHistoryTable, { ...account, height }),
    ]);
  });

  test("has no form before feature 2", () => {
    const tables = rowsOf({ features: [], transactions: [] }).map(({ table }) => table.name);
    expect(tables).toEqual(["block", "account", "balance_history"]);
  });
});

describe("a transaction", () => {
  const rowOf = (options: Parameters<typeof rowsOf>[0]) =>
    rowsOf(options).find(({ table }) => table === transactionTable)?.row;

  test("has its state snapshot where those are stored", () => {
    const only = includedTransaction(1);
    expect(rowOf({ transactions: [only], storesSnapshots: true })).toEqual({
      ...transactionRow(1, 4),
      snapshot: encodeTransactionSnapshot(only),
    });
  });

  test("has the record of its call", () => {
    const callRecord = { result: emptyCallResult, ethereumCall: undefined };
    expect(rowOf({ transactions: [{ ...includedTransaction(1), callRecord }] })).toEqual({
      ...transactionRow(1, 4),
      callRecord: encodeCallRecord(callRecord),
    });
  });
});

import { expect, test } from "vitest";
import { compareRanks, poolRank } from "../../../../durable/chain-state/pool/pool-order.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { utxDefaults } from "../../../../src/network/defaults.ts";
import type { UtxSettings } from "../../../../src/network/settings.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { addresses, assetId, keys, now, sample, to, toAlias } from "../../../support/builders/sample-transactions.ts";

/** Numbers of the transactions in the miner's order; they arrived in the given order. */
function orderOf(transactions: readonly Transaction[], settings: UtxSettings = utxDefaults): readonly number[] {
  return transactions
    .map((transaction, number) => poolRank(transaction, number, settings))
    .sort(compareRanks)
    .map(({ arrival }) => arrival);
}

test("the higher fee for a byte has priority", () => {
  const cheap = sample(TransactionType.Transfer, { fee: 100_000n, bytes: new Uint8Array(200) });
  const dear = sample(TransactionType.Transfer, { fee: 100_000n, bytes: new Uint8Array(150) });
  expect(orderOf([cheap, dear])).toEqual([1, 0]);
});

test("of the same fee for a byte the higher fee has priority, then the older transaction, then the first to arrive", () => {
  const small = sample(TransactionType.Transfer, { fee: 100_000n, bytes: new Uint8Array(100) });
  const big = sample(TransactionType.Transfer, { fee: 200_000n, bytes: new Uint8Array(200) });
  const older = sample(TransactionType.Transfer, { fee: 100_000n, bytes: new Uint8Array(100), timestamp: now - 1n });
  expect(orderOf([small, small, older, big])).toEqual([3, 2, 0, 1]);
});

test("a fee in an asset counts as zero", () => {
  const sponsored = sample(TransactionType.Transfer, { fee: 1_000_000_000n, feeAsset: assetId(1) });
  expect(orderOf([sponsored, sample(TransactionType.Transfer, { fee: 1n })])).toEqual([1, 0]);
});

test("an exchange counts with 676 bytes, regardless of its size", () => {
  const transfer = sample(TransactionType.Transfer, { fee: 300_000n, bytes: new Uint8Array(677) });
  const exchange = sample(TransactionType.Exchange, { fee: 300_000n, bytes: new Uint8Array(2_000) });
  expect(orderOf([transfer, exchange])).toEqual([1, 0]);
});

test("an Ethereum transaction counts with the bytes that its wallet signed", () => {
  const transfer = sample(TransactionType.Transfer, { fee: 100_000n, bytes: new Uint8Array(150) });
  const ethereum = sample(TransactionType.Ethereum, {
    fee: 100_000n,
    bytes: new Uint8Array(500),
    ethereumBytes: new Uint8Array(140),
  });
  expect(orderOf([transfer, ethereum])).toEqual([1, 0]);
});

test("transactions from or to calls of accounts in the fast lane have priority over all others", () => {
  const settings = { ...utxDefaults, fastLaneAddresses: new Set([encodeBase58(addresses.bob), "alias:R:carol"]) };
  const dear = sample(TransactionType.Transfer, { fee: 100_000_000n });
  const ofBob = sample(TransactionType.Transfer, { sender: keys.bob });
  const toBob = sample(TransactionType.Transfer, { recipient: to(addresses.bob) });
  const callOfBob = sample(TransactionType.InvokeScript, { dApp: to(addresses.bob), fee: 50_000n });
  const callOfCarol = sample(TransactionType.InvokeScript, { dApp: toAlias("carol"), fee: 40_000n });
  expect(orderOf([dear, toBob, ofBob, callOfBob, callOfCarol], settings)).toEqual([2, 3, 4, 0, 1]);
});

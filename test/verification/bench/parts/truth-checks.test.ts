/** The checker of `npm run bench -- truth` finds errors. */
import { expect, test } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { transactionsRoot } from "../../../../src/protocol/blocks/transactions-root.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { nativeAccount } from "../../../../verification/bench/parts/native-signer.ts";
import { signedTransaction } from "../../../../verification/bench/parts/signed-transaction.ts";
import {
  findBlockErrors,
  findSequenceErrors,
  ObservedStates,
  type PrintedBlock,
  TaggedTexts,
} from "../../../../verification/bench/parts/truth-checks.ts";

const account = nativeAccount("checked", privateNetwork.blockchain.chainId);
const transfers = [1, 2, 3].map((time) =>
  signedTransaction(
    account,
    {
      type: TransactionType.Transfer,
      version: 3,
      recipient: { kind: "address", address: account.address },
      asset: null,
      amount: 1n,
      attachment: new Uint8Array(),
      fee: 100_000n,
    },
    time,
  ),
);
const idOf = ({ id }: Transaction) => encodeBase58(id);
const find = (id: string) => transfers.find((transfer) => idOf(transfer) === id);
const block: PrintedBlock = {
  ...{ id: "block five", height: 5, timestamp: 5, reference: "block four", transactionCount: 3, totalFee: 300_000 },
  transactionsRoot: encodeBase58(transactionsRoot(transfers)),
  transactions: transfers.map((transfer) => ({ id: idOf(transfer), fee: 100_000 })),
};

test("a block that fits its header has no fault; one of another state has several", () => {
  expect(findBlockErrors(block, find)).toEqual([]);
  const later = { ...block, transactions: block.transactions?.slice(0, 2) ?? [] };
  expect(findBlockErrors(later, find)).toEqual([
    expect.stringContaining("has 2 transactions, and says 3"),
    expect.stringContaining("has fees of 200000, and says 300000"),
    expect.stringContaining("the root of its transactions"),
  ]);
  expect(findBlockErrors(block, () => undefined)).toEqual([expect.stringContaining("was never sent")]);
});

test("blocks that do not follow one another are found", () => {
  const next = { ...block, id: "block six", height: 6, reference: block.id };
  expect(findSequenceErrors([block, next], 5)).toEqual([]);
  expect(findSequenceErrors([block, { ...next, reference: "another" }], 5)).toHaveLength(1);
  expect(findSequenceErrors([next], 5)).toHaveLength(1);
});

test("balances must sum to what there is in their state, without what the next generator gets", () => {
  const states = new ObservedStates();
  for (const height of [2, 3]) states.seeReward(height, 600);
  expect(states.seeTip("0.a", { ...block, height: 3, reward: 600 })).toEqual([]);
  const right = 10_000_000n + 1_200n - 180_000n;
  states.seeSum("0.a", right, "/addresses/balance");
  expect(states.findSumErrors(10_000_000n, 60_000n)).toEqual([]);
  // A transfer debited from one account and not credited to the other.
  states.seeSum("0.a", right - 7n, "/addresses/balance");
  // A state whose last block was never seen.
  states.seeSum("0.b", right - 60_000n, "/addresses/balance");
  states.seeSum("0.b", right - 60_001n, "/addresses/balance");
  expect(states.findSumErrors(10_000_000n, 60_000n)).toHaveLength(2);
  expect(states.seeTip("0.a", { ...block, height: 3, totalFee: 200_000, reward: 600 })).toHaveLength(1);
});

test("one tag has one text for each question", () => {
  const texts = new TaggedTexts();
  expect(texts.see("/blocks/last", "0.a", "text")).toEqual([]);
  expect(texts.see("/blocks/last", "0.b", "other")).toEqual([]);
  expect(texts.see("/blocks/height", "0.a", "other")).toEqual([]);
  expect(texts.see("/blocks/last", "0.a", "other")).toHaveLength(1);
  expect(texts.has("/blocks/last", "0.b")).toBe(true);
});

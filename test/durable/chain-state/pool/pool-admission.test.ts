import { expect, test } from "vitest";
import { type Candidate, checkAdmission, type PoolUsage } from "../../../../durable/chain-state/pool/pool-admission.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { utxDefaults } from "../../../../src/network/defaults.ts";
import type { UtxSettings } from "../../../../src/network/settings.ts";
import { describeViolation } from "../../../../src/protocol/describe-violation.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { addresses, sample, to, violationOf } from "../../../support/builders/sample-transactions.ts";

const empty: PoolUsage = { transactions: 0, bytes: 0, scriptedTransactions: 0 };
const small: UtxSettings = { ...utxDefaults, maxSize: 10, maxBytesSize: 1_000, maxScriptedSize: 3 };
const candidate: Candidate = {
  transaction: sample(TransactionType.Transfer),
  sizeBytes: 100,
  isScripted: false,
  isFavoured: false,
  isMostProfitable: false,
};

/** The reference's text for the refusal. */
function refusal(of: Partial<Candidate>, usage: Partial<PoolUsage>, settings: UtxSettings = small): string {
  return describeViolation(
    violationOf(() => checkAdmission({ ...candidate, ...of }, { ...empty, ...usage }, settings)),
  );
}
function admits(of: Partial<Candidate>, usage: Partial<PoolUsage>, settings: UtxSettings = small): void {
  expect(() => checkAdmission({ ...candidate, ...of }, { ...empty, ...usage }, settings)).not.toThrow();
}

test("a pool with the maximum number of transactions accepts no more", () => {
  admits({}, { transactions: 9 });
  expect(refusal({}, { transactions: 10 })).toBe("Transaction pool size limit is reached");
});

test("a pool accepts a transaction that fills its bytes to the last one, and none that exceeds them", () => {
  admits({}, { bytes: 900 });
  expect(refusal({}, { bytes: 901 })).toBe("Transaction pool bytes size limit is reached");
});

test("a pool accepts scripted transactions up to their limit, or none if they are not allowed", () => {
  admits({ isScripted: true }, { scriptedTransactions: 2 });
  expect(refusal({ isScripted: true }, { scriptedTransactions: 3 })).toBe(
    "Transaction pool scripted txs size limit is reached",
  );
  admits({}, { scriptedTransactions: 3 });
  expect(refusal({ isScripted: true }, {}, { ...small, allowTransactionsFromSmartAccounts: false })).toBe(
    "transactions from scripted accounts are denied from UTX pool",
  );
});

test("the best paying transaction fits into a full pool, but not into one that is twice full", () => {
  admits({ isMostProfitable: true, isScripted: true }, { transactions: 10, bytes: 1_000, scriptedTransactions: 3 });
  expect(refusal({ isMostProfitable: true }, { transactions: 20 })).toBe("Transaction pool size limit is reached");
  expect(refusal({ isMostProfitable: true }, { transactions: 10 }, { ...small, allowSkipChecks: false })).toBe(
    "Transaction pool size limit is reached",
  );
});

test("the fast lane leads into a full pool, too, and past the black list", () => {
  const blacklistSenderAddresses = new Set([encodeBase58(addresses.alice)]);
  admits({ isFavoured: true }, { transactions: 10 }, { ...small, allowSkipChecks: false, blacklistSenderAddresses });
});

test("senders on the black list may only transfer to the allowed recipients", () => {
  const settings: UtxSettings = {
    ...small,
    blacklistSenderAddresses: new Set([encodeBase58(addresses.alice)]),
    allowBlacklistedTransferTo: new Set([encodeBase58(addresses.bob)]),
  };
  const refused = `SenderIsBlacklisted(${encodeBase58(addresses.alice)})`;
  admits({ transaction: sample(TransactionType.Transfer, { recipient: to(addresses.bob) }) }, {}, settings);
  expect(
    refusal({ transaction: sample(TransactionType.Transfer, { recipient: to(addresses.carol) }) }, {}, settings),
  ).toBe(refused);
  expect(refusal({ transaction: sample(TransactionType.MassTransfer) }, {}, settings)).toBe(refused);
  admits(
    {
      transaction: sample(TransactionType.MassTransfer, { transfers: [{ recipient: to(addresses.bob), amount: 1n }] }),
    },
    {},
    settings,
  );
  expect(refusal({ transaction: sample(TransactionType.Data) }, {}, settings)).toBe(refused);
});

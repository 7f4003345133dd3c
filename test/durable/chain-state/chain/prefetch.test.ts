/** Prefetch of the rows that a block's transactions read: no single query is left for each of them. */
import { describe, expect, test } from "vitest";
import { prefetch } from "../../../../durable/chain-state/chain/prefetch.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { accountScriptTable } from "../../../../src/tables/account-scripts.ts";
import { accountTable } from "../../../../src/tables/accounts.ts";
import { transactionTable } from "../../../../src/tables/blocks.ts";
import { orderFillTable } from "../../../../src/tables/order-fills.ts";
import { stateDatabase } from "../../../../verification/sqlite/node-database.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";
import {
  addresses,
  sample,
  sampleOrder,
  sampleSellOrder,
  to,
  toAlias,
  transactionId,
} from "../../../support/builders/sample-transactions.ts";

const { alice, bob, carol, matcher } = addresses;

/** Store that counts the queries to its database. */
function arrange() {
  const database = testDatabase(stateDatabase());
  let queries = 0;
  const counting: typeof database = {
    ...database,
    exec: (query, ...bindings) => {
      queries += 1;
      return database.exec(query, ...bindings);
    },
  };
  const store = new StateStore(counting);
  const queriesOf = (run: () => unknown): number => {
    const before = queries;
    run();
    return queries - before;
  };
  return { store, queriesOf };
}

/** Copies of the transaction, each with an id of its own. */
const many = <T extends Transaction>(transaction: T, count: number): readonly T[] =>
  Array.from({ length: count }, (_, number) => ({ ...transaction, id: transactionId(number) }));
const transfers = (count: number) => many(sample(TransactionType.Transfer, { recipient: to(bob) }), count);

describe("for many transactions", () => {
  test("senders, their scripts, recipients and ids are known with three queries", () => {
    const { store, queriesOf } = arrange();
    const transactions = transfers(8);
    expect(queriesOf(() => prefetch(store, transactions))).toBe(3);
    const later = queriesOf(() => {
      for (const address of [alice, bob]) store.find(accountTable, { address });
      store.find(accountScriptTable, { address: alice });
      for (const { id } of transactions) store.findLatest(transactionTable, { id });
    });
    expect(later).toBe(0);
    // The script of a recipient is not needed.
    expect(queriesOf(() => store.find(accountScriptTable, { address: bob }))).toBe(1);
  });

  test("so are the owners of orders, and how far those are filled", () => {
    const { store, queriesOf } = arrange();
    const [order1, order2] = [sampleOrder(), sampleSellOrder()];
    prefetch(store, many(sample(TransactionType.Exchange, { order1, order2 }), 8));
    const later = queriesOf(() => {
      for (const address of [matcher, alice, bob]) store.find(accountTable, { address });
      for (const { id } of [order1, order2]) store.find(orderFillTable, { id });
    });
    expect(later).toBe(0);
  });

  test("grants have no sender, and a recipient by alias names no account yet", () => {
    const { store, queriesOf } = arrange();
    prefetch(store, many<Transaction>(sample(TransactionType.Genesis, { recipient: carol }), 8));
    expect(queriesOf(() => store.find(accountTable, { address: alice }))).toBe(1);
    prefetch(store, many(sample(TransactionType.Transfer, { recipient: toAlias("bobs") }), 8));
    expect(queriesOf(() => store.find(accountTable, { address: bob }))).toBe(1);
  });
});

test("a transaction with no other account than its sender reads no other", () => {
  const { store, queriesOf } = arrange();
  prefetch(store, many(sample(TransactionType.Burn), 8));
  expect(queriesOf(() => store.find(accountTable, { address: alice }))).toBe(0);
});

test("for few transactions nothing is prefetched", () => {
  const { store, queriesOf } = arrange();
  expect(queriesOf(() => prefetch(store, transfers(7)))).toBe(0);
});

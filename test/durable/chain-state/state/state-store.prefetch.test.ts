import { expect, test } from "vitest";
import type { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { TransactionId } from "../../../../src/protocol/transactions/transaction.ts";
import { accountTable } from "../../../../src/tables/accounts.ts";
import { transactionTable } from "../../../../src/tables/blocks.ts";
import { TableView } from "../../../../src/tables/view/table-view.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const idOf = (number: number): TransactionId => new Uint8Array(32).fill(number) as Uint8Array as TransactionId;
const addressOf = (number: number): Address => new Uint8Array(26).fill(number) as Uint8Array as Address;
const numbers = Array.from({ length: 20 }, (_, number) => number);

const transactionRow = (number: number, height = 2) => {
  const fields = { height, position: number, type: 4, status: "succeeded", spentComplexity: 0 };
  return { id: idOf(number), ...fields, bytes: Uint8Array.of(number), snapshot: undefined, callRecord: undefined };
};
const accountRow = (number: number) => ({ address: addressOf(number), balance: 7n, leaseIn: 0n, leaseOut: 0n });

/** Rows 3 and 4 are in the tables, 5 waits to be written, 6 to be removed. */
function storeWithSome(): StateStore {
  const { store } = testStore();
  const rows = [
    { table: transactionTable, row: transactionRow },
    { table: accountTable, row: accountRow },
  ];
  store.commit(
    { height: 2, step: 0 },
    rows.flatMap(({ table, row }) => [3, 4, 6].map((number) => ({ table, row: row(number) }))),
  );
  store.gather(
    { height: 3, step: 0 },
    rows.flatMap(({ table, row }) => [
      { table, row: row(5) },
      { table, row: row(6), removed: true },
    ]),
  );
  return store;
}

function prefetchAll(store: StateStore): void {
  store.prefetchLatest(
    transactionTable,
    numbers.map((number) => ({ id: idOf(number) })),
  );
  store.prefetch(
    accountTable,
    numbers.map((number) => ({ address: addressOf(number) })),
  );
}

/** Same as `prefetchAll`, for each row separately. */
function prefetchEach(store: StateStore): void {
  for (const number of numbers) {
    store.prefetchLatest(transactionTable, [{ id: idOf(number) }]);
    store.prefetch(accountTable, [{ address: addressOf(number) }]);
  }
}

test.each([
  ["many rows", prefetchAll],
  ["one row after another", prefetchEach],
] as const)("after a look for %s exactly those are found that are there, written or not yet", (_, look) => {
  const store = storeWithSome();
  look(store);
  const view = new TableView(store, privateNetwork.blockchain);
  expect(numbers.filter((number) => view.findTransaction(idOf(number)) !== undefined)).toEqual([3, 4, 5]);
  expect(numbers.filter((number) => view.balance(addressOf(number), null) === 7n)).toEqual([3, 4, 5]);
});

test("an absent row is found once it is written, and again not when it is rolled back", () => {
  const store = storeWithSome();
  prefetchAll(store);
  store.commit({ height: 4, step: 0 }, [
    { table: transactionTable, row: transactionRow(9, 4) },
    { table: accountTable, row: accountRow(9) },
  ]);
  expect(store.findLatest(transactionTable, { id: idOf(9) })?.height).toBe(4);
  expect(store.find(accountTable, { address: addressOf(9) })?.balance).toBe(7n);
  prefetchAll(store);
  expect(store.findLatest(transactionTable, { id: idOf(9) })?.height).toBe(4);
  store.rollbackTo({ height: 3, step: 0 });
  prefetchAll(store);
  expect(store.findLatest(transactionTable, { id: idOf(9) })).toBeUndefined();
  expect(store.find(accountTable, { address: addressOf(9) })).toBeUndefined();
});

test("prefetched rows are read again after memory was cleared", () => {
  const store = storeWithSome();
  prefetchAll(store);
  store.sql.exec("DELETE FROM tx");
  store.sql.exec("DELETE FROM account");
  store.forgetCache();
  expect(numbers.filter((number) => store.findLatest(transactionTable, { id: idOf(number) }) !== undefined)).toEqual(
    [],
  );
  expect(numbers.filter((number) => store.find(accountTable, { address: addressOf(number) }) !== undefined)).toEqual(
    [],
  );
});

import { expect, test } from "vitest";
import type { Address } from "../../src/crypto/identities.ts";
import { balanceHistoryQuery } from "../../src/read-model/account.ts";
import { d1Double } from "../../verification/sqlite/d1-double.ts";
import { putChain } from "../support/builders/put-chain.ts";

const account = new Uint8Array(26).fill(7) as Address;

/** @param rows height, balance and amount leased to the account */
function historyOf(rows: readonly (readonly [height: number, balance: number, leaseIn: number])[]) {
  const { sqlite } = d1Double();
  putChain(sqlite, { height: 100 });
  const insert = sqlite.prepare(
    "INSERT INTO balance_history (address, height, balance, lease_in, lease_out) VALUES (?, ?, ?, ?, 0)",
  );
  for (const [height, balance, leaseIn] of rows) insert.run(account, height, balance, leaseIn);
  const { sql, bindings, decode } = balanceHistoryQuery(account);
  return decode(sqlite.prepare(sql).all(...bindings));
}

test("heights at which only leases changed are left out", () => {
  expect(
    historyOf([
      [60, 10, 0],
      [70, 10, 5],
      [80, 20, 5],
    ]),
  ).toEqual([
    { height: 80, balance: 20n },
    { height: 60, balance: 10n },
  ]);
});

test("an account that was only leased to has no history of its balance", () => {
  expect(historyOf([[60, 0, 5]])).toEqual([]);
});

test("a balance that has not changed for long is shown with its last change", () => {
  expect(historyOf([[3, 10, 0]])).toEqual([{ height: 3, balance: 10n }]);
});

test("a balance that became zero is a change", () => {
  expect(
    historyOf([
      [60, 10, 0],
      [80, 0, 0],
    ]),
  ).toEqual([
    { height: 80, balance: 0n },
    { height: 60, balance: 10n },
  ]);
});

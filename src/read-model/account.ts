/** Tables `account` and `balance_history`: WAVES and leases of accounts, now and as far back as the interface looks. */
import type { Address } from "../crypto/identities.ts";
import { blobList, blobsOf, type I64Text, i64, i64Of } from "./column.ts";
import { type Query, query } from "./query.ts";

/** Wavelets. */
export interface AccountBalance {
  readonly balance: bigint;
  readonly leaseIn: bigint;
  readonly leaseOut: bigint;
}
const noBalance: AccountBalance = { balance: 0n, leaseIn: 0n, leaseOut: 0n };

interface AccountRow {
  readonly balance: I64Text;
  readonly lease_in: I64Text;
  readonly lease_out: I64Text;
}
const accountColumns = [i64("balance"), i64("lease_in"), i64("lease_out")].join(", ");

function accountOf(row: AccountRow): AccountBalance {
  return { balance: i64Of(row.balance), leaseIn: i64Of(row.lease_in), leaseOut: i64Of(row.lease_out) };
}

/** Zeros for an account that the chain has not seen. */
export function accountQuery(address: Address): Query<AccountBalance> {
  return query<AccountRow, AccountBalance>(
    `SELECT ${accountColumns} FROM account WHERE address = ?1`,
    [address],
    ([row]) => (row ? accountOf(row) : noBalance),
  );
}

type BalanceOfPlace = { readonly place: number; readonly balance: I64Text };
function balancesOf(addresses: readonly Address[], rows: readonly BalanceOfPlace[]): readonly bigint[] {
  const balances = addresses.map(() => 0n);
  for (const row of rows) balances[row.place] = i64Of(row.balance);
  return balances;
}

/** Accounts in the order of the addresses. */
export function accountsQuery(addresses: readonly Address[]): Query<readonly AccountBalance[]> {
  return query<AccountRow & { readonly place: number }, readonly AccountBalance[]>(
    `SELECT place, ${accountColumns} FROM ${blobsOf("?1")} wanted JOIN account ON account.address = wanted.value`,
    [blobList(addresses)],
    (rows) => {
      const accounts = addresses.map(() => noBalance);
      for (const row of rows) accounts[row.place] = accountOf(row);
      return accounts;
    },
  );
}

/** Regular balances in the order of the addresses. */
export function balancesQuery(addresses: readonly Address[]): Query<readonly bigint[]> {
  return query<BalanceOfPlace, readonly bigint[]>(
    `SELECT place, ${i64("balance")} FROM ${blobsOf("?1")} wanted JOIN account ON account.address = wanted.value`,
    [blobList(addresses)],
    (rows) => balancesOf(addresses, rows),
  );
}

/** Regular balances after the block of that height, in the order of the addresses. */
export function balancesAtQuery(addresses: readonly Address[], height: number): Query<readonly bigint[]> {
  return query<BalanceOfPlace, readonly bigint[]>(
    `SELECT place, ${i64("history.balance", "balance")} FROM ${blobsOf("?1")} wanted JOIN balance_history history
     ON history.address = wanted.value AND history.height = (
       SELECT max(height) FROM balance_history WHERE address = wanted.value AND height <= ?2
     )`,
    [blobList(addresses), height],
    (rows) => balancesOf(addresses, rows),
  );
}

/** What is least of a balance: the own one, or the one that counts for block production. */
export type BalanceKind = "regular" | "effective";
const balanceExpressions = {
  regular: "balance",
  effective: "balance + lease_in - lease_out",
} as const satisfies Record<BalanceKind, string>;

/**
 * The last blocks of the chain. Their number may depend on its height: `atFirst` below the height `from`, then `blocks`.
 * 0 acts as 1.
 */
export interface Window {
  readonly blocks: number;
  readonly earlier?: { readonly below: number; readonly blocks: number };
}

/** The lowest height of a window, as an expression of placeholders 2 to 4. */
const windowStart = `max((SELECT height - max(iif(height < ?3, ?4, ?2), 1) + 1 FROM chain), 1)`;
function windowBindings({ blocks, earlier }: Window): [number, number, number] {
  return [blocks, earlier?.below ?? 0, earlier?.blocks ?? 0];
}

/**
 * The least balance over the last blocks: after the first of them, and after each change since. 0 for an account that
 * did not exist then.
 */
export function lowestBalanceQuery(address: Address, kind: BalanceKind, window: Window): Query<bigint> {
  return query<{ readonly balance: I64Text | null }, bigint>(
    `SELECT CAST(min(${balanceExpressions[kind]}) AS TEXT) AS balance
     FROM balance_history WHERE address = ?1 AND height >= (
       SELECT max(height) FROM balance_history WHERE address = ?1 AND height <= ${windowStart}
     )`,
    [address, ...windowBindings(window)],
    ([row]) => (row?.balance ? i64Of(row.balance) : 0n),
  );
}

export interface BalanceAtHeight {
  readonly height: number;
  readonly balance: bigint;
}

/** Changes of the regular balance over the last blocks, newest first. */
export function balanceHistoryQuery(address: Address, window: Window): Query<readonly BalanceAtHeight[]> {
  return query<{ readonly height: number; readonly balance: I64Text }, readonly BalanceAtHeight[]>(
    `SELECT height, ${i64("balance")} FROM (
       SELECT height, balance, lag(balance, 1, 0) OVER (ORDER BY height) AS before FROM balance_history WHERE address = ?1
     ) WHERE balance <> before AND height >= ${windowStart} ORDER BY height DESC`,
    [address, ...windowBindings(window)],
    (rows) => rows.map(({ height, balance }) => ({ height, balance: i64Of(balance) })),
  );
}

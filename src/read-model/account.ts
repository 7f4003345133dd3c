/**
 * Tables `account`, `balance_history`, `challenge` and `commitment`: WAVES, leases and deposits of accounts, now and as
 * far back as the interface looks.
 */
import type { Address } from "../crypto/identities.ts";
import {
  accountStateKey,
  heightStateKey,
  type RemoteStateKey,
  unsupportedStateKey,
} from "../network/remote-state-key.ts";
import { commitmentDeposit } from "../rules/finality/deposit.ts";
import { accountTable, balanceHistoryTable } from "../tables/accounts.ts";
import { i64, nullable } from "../tables/schema/column.ts";
import { columnsOf, computed } from "./columns.ts";
import { oneOf, point, type Query, query, withRemoteKeys } from "./query.ts";
import { blobList, byKeyIndex, keyIndex, requestedKeysAt } from "./requested-keys.ts";

const account = columnsOf(accountTable, ["balance", "leaseIn", "leaseOut"]);

function remoteKeysOfAccounts(addresses: readonly Address[]): readonly RemoteStateKey[] {
  return addresses.map((address) => accountStateKey("account", address));
}

/** Amounts in wavelets. */
export type AccountBalance = ReturnType<typeof account.read>;
const noBalance: AccountBalance = { balance: 0n, leaseIn: 0n, leaseOut: 0n };

/** Balance of an account; zeros for one that the chain has not seen. */
export function accountQuery(address: Address): Query<AccountBalance> {
  const single = point(`SELECT ${account.sql} FROM account WHERE address = ?1`, [address], (row) =>
    row ? account.read(row) : noBalance,
  );
  return withRemoteKeys(() => remoteKeysOfAccounts([address]), oneOf(accountsQuery, address, single));
}

/** Balances in the order of the addresses. */
export function accountsQuery(addresses: readonly Address[]): Query<readonly AccountBalance[]> {
  return withRemoteKeys(
    () => remoteKeysOfAccounts(addresses),
    query(
      `SELECT ${keyIndex.sql}, ${account.sql} FROM ${requestedKeysAt("?1")} JOIN account ON account.address = wanted.value`,
      [blobList(addresses)],
      (rows) => byKeyIndex(addresses, rows, account.read, noBalance),
    ),
  );
}

const regular = columnsOf(accountTable, ["balance"]);

/** Regular balances in the order of the addresses. */
export function balancesQuery(addresses: readonly Address[]): Query<readonly bigint[]> {
  return withRemoteKeys(
    () => remoteKeysOfAccounts(addresses),
    query(
      `SELECT ${keyIndex.sql}, ${regular.sql} FROM ${requestedKeysAt("?1")} JOIN account ON account.address = wanted.value`,
      [blobList(addresses)],
      (rows) => byKeyIndex(addresses, rows, (row) => regular.read(row).balance, 0n),
    ),
  );
}

const regularAt = columnsOf(balanceHistoryTable, ["balance"], "history");

/** Regular balances after the block of that height, in the order of the addresses. */
export function balancesAtQuery(addresses: readonly Address[], height: number): Query<readonly bigint[]> {
  return withRemoteKeys(
    () => [...remoteKeysOfAccounts(addresses), heightStateKey(height)],
    query(
      `SELECT ${keyIndex.sql}, ${regularAt.sql} FROM ${requestedKeysAt("?1")} JOIN balance_history history
     ON history.address = wanted.value AND history.height = (
       SELECT max(height) FROM balance_history WHERE address = wanted.value AND height <= ?2
     )`,
      [blobList(addresses), height],
      (rows) => byKeyIndex(addresses, rows, (row) => regularAt.read(row).balance, 0n),
    ),
  );
}

/**
 * Deposit at a height, as an SQL expression: the number of `depositSpan`s that contain it, times the deposit. A
 * generator commits himself in the period before his own; the first period has one block more than the others.
 * @param address, height expressions
 * @param length length of a period, as a placeholder
 */
function depositSql(address: string, height: string, length: string): string {
  return `(SELECT ${commitmentDeposit} * count(*) FROM commitment WHERE commitment.address = ${address}
    AND commitment.period_start BETWEEN ${height} - ${length} + 1 AND ${height} + ${length} + 1 AND commitment.height <= ${height}
    AND NOT EXISTS (
      SELECT 1 FROM generator_conflict conflict WHERE conflict.period_start = commitment.period_start
      AND conflict.position = commitment.position AND conflict.height < ${height}
    ))`;
}

const tipHeight = "(SELECT height FROM chain)";
const deposit = computed("deposit", i64, depositSql("wanted.value", tipHeight, "?2"));

/**
 * Deposits at the tip, wavelets, in the order of the addresses.
 * @param periodLength length of a generation period, in blocks
 */
export function depositsQuery(addresses: readonly Address[], periodLength: number): Query<readonly bigint[]> {
  return withRemoteKeys(
    () => remoteKeysOfAccounts(addresses),
    query(
      `SELECT ${keyIndex.sql}, ${deposit.sql} FROM ${requestedKeysAt("?1")}`,
      [blobList(addresses), periodLength],
      (rows) => byKeyIndex(addresses, rows, deposit.read, 0n),
    ),
  );
}

/** Balance whose minimum is requested: the account's own, or the effective one, which counts for block production. */
export type BalanceKind = "regular" | "effective";
const balanceExpressions = {
  regular: "balance",
  effective: "balance + lease_in - lease_out",
} as const satisfies Record<BalanceKind, string>;

/** The last blocks of the chain; below a certain height of the tip their number may differ. 0 acts as 1. */
export interface Window {
  readonly blocks: number;
  readonly earlier?: { readonly below: number; readonly blocks: number };
}

/** Lowest height of a window, as an SQL expression with placeholders 2 to 4. */
const windowStart = `max((SELECT height - max(iif(height < ?3, ?4, ?2), 1) + 1 FROM chain), 1)`;
function windowBindings({ blocks, earlier }: Window): [number, number, number] {
  return [blocks, earlier?.below ?? 0, earlier?.blocks ?? 0];
}

const lowest = {
  regular: computed("lowest", nullable(i64), `min(${balanceExpressions.regular})`),
  effective: computed(
    "lowest",
    nullable(i64),
    `iif(
      EXISTS (SELECT 1 FROM challenge WHERE address = ?1 AND height >= ${windowStart}),
      0, min(${balanceExpressions.effective} - ${depositSql("?1", `max(balance_history.height, ${windowStart})`, "?5")}))`,
  ),
};

const presentEffective = computed(
  "effective",
  i64,
  `iif(
    EXISTS (SELECT 1 FROM challenge WHERE address = ?1 AND height = ${tipHeight}),
    0, ${balanceExpressions.effective} - ${depositSql("?1", tipHeight, "?2")})`,
);

/**
 * Effective balance at the tip: 0 for an account that the tip challenges, or that the chain has not seen.
 * @param periodLength length of a generation period, in blocks
 */
export function effectiveBalanceQuery(address: Address, periodLength: number): Query<bigint> {
  return withRemoteKeys(
    () => remoteKeysOfAccounts([address]),
    point(`SELECT ${presentEffective.sql} FROM account WHERE address = ?1`, [address, periodLength], (row) =>
      row ? presentEffective.read(row) : 0n,
    ),
  );
}

/**
 * Lowest balance over the last blocks: after the first of them, and after each change since. A commitment pays a fee,
 * so the start of its deposit is always such a change. 0 for an account that did not exist then; the effective balance
 * is 0 also for an account challenged in one of the blocks.
 * @param periodLength length of a generation period, in blocks
 */
export function lowestBalanceQuery(
  address: Address,
  kind: BalanceKind,
  window: Window,
  periodLength: number,
): Query<bigint> {
  return withRemoteKeys(
    () => remoteKeysOfAccounts([address]),
    query(
      `SELECT ${lowest[kind].sql} FROM balance_history WHERE address = ?1 AND height >= (
       SELECT max(height) FROM balance_history WHERE address = ?1 AND height <= ${windowStart}
     )`,
      [address, ...windowBindings(window), ...(kind === "effective" ? [periodLength] : [])],
      ([row]) => (row && lowest[kind].read(row)) ?? 0n,
    ),
  );
}

const measured = columnsOf(balanceHistoryTable, ["height", "balance"], "measured");

export type BalanceAtHeight = ReturnType<typeof measured.read>;

/**
 * Changes of the regular balance as far back as the table has them, newest first; the one in force before is always
 * included.
 */
export function balanceHistoryQuery(address: Address): Query<readonly BalanceAtHeight[]> {
  return withRemoteKeys(
    () => [unsupportedStateKey("a fork does not know how balances came to be before the height from which it goes on")],
    query(
      `SELECT ${measured.sql} FROM (
       SELECT height, balance, lag(balance, 1, 0) OVER (ORDER BY height) AS before FROM balance_history WHERE address = ?1
     ) measured WHERE balance <> before ORDER BY height DESC`,
      [address],
      (rows) => rows.map(measured.read),
    ),
  );
}

/**
 * Balance history leaves the tables once no rule, no question and no rollback can ask for it.
 *
 * A row of an account is needed until its next row is older than the window. So when the tip moves on to height T, the
 * rows that were superseded up to T - window can go: the work is bounded by the changes of as many old blocks as it moves.
 */

import { balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { liquidDataTable } from "../../../src/tables/liquid-data.ts";
import { assetBalanceHistoryTable } from "../../../src/tables/lists.ts";
import { readKey } from "../../../src/tables/schema/stored-row.ts";
import type { StateStore } from "./state-store.ts";

/** @param windowBlocks how far back a height may be asked for, counted from the lowest height that a rollback may reach */
export function expireBalanceHistory(
  store: StateStore,
  tipHeights: { readonly from: number; readonly to: number },
  windowBlocks: number,
): void {
  const rows = expiredKeys(store, EXPIRED_SQL, tipHeights, windowBlocks);
  store.removeExpired(
    balanceHistoryTable,
    rows.map((key) => readKey(balanceHistoryTable, key)),
  );
}

/** As `expireBalanceHistory`; besides, an asset that an account no longer had at the window's start leaves no row. */
export function expireAssetBalanceHistory(
  store: StateStore,
  tipHeights: { readonly from: number; readonly to: number },
  windowBlocks: number,
): void {
  const rows = expiredKeys(store, EXPIRED_ASSETS_SQL, tipHeights, windowBlocks);
  store.removeExpired(
    assetBalanceHistoryTable,
    rows.map((key) => readKey(assetBalanceHistoryTable, key)),
  );
}

/** Remembered data keys of the heights up to one. As many as they may be, a page is in memory at a time. */
export function expireLiquidData(store: StateStore, upToHeight: number): void {
  for (;;) {
    const page = upToHeight < 1 ? [] : store.query(liquidDataTable, OLD_DATA_SQL, upToHeight);
    if (page.length === 0) return;
    store.removeExpired(liquidDataTable, page);
  }
}

function expiredKeys(
  store: StateStore,
  sql: string,
  { from, to }: { readonly from: number; readonly to: number },
  windowBlocks: number,
): ReturnType<StateStore["rows"]> {
  const superseded = to - windowBlocks;
  return superseded <= 1 ? [] : store.rows(sql, from - windowBlocks, superseded);
}

const OLD_DATA_SQL = "WHERE height <= ? LIMIT 1000";

/** Rows before the last one that each account got at the heights above ?1 up to ?2. */
const EXPIRED_SQL = `
  SELECT old.address, old.height
  FROM (SELECT address, MAX(height) AS height FROM balance_history WHERE height > ?1 AND height <= ?2 GROUP BY address) AS next
  JOIN balance_history AS old ON old.address = next.address AND old.height < next.height`;

/** Rows before the last one that each holder got at the heights above ?1 up to ?2, and that one itself where it is 0. */
const EXPIRED_ASSETS_SQL = `
  SELECT old.asset, old.holder, old.height
  FROM (
    SELECT asset, holder, MAX(height) AS height FROM asset_balance_history
    WHERE height > ?1 AND height <= ?2 GROUP BY asset, holder
  ) AS next
  JOIN asset_balance_history AS old ON old.asset = next.asset AND old.holder = next.holder
    AND old.height <= next.height AND (old.height < next.height OR old.balance = 0)`;

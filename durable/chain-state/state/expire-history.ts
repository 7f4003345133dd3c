/**
 * Removal of balance history that no rule, no query and no rollback can need any more.
 *
 * A row of an account is needed until its next row is older than the window. So when the tip moves to height T, the
 * rows that were superseded up to T - window are removed: the work is bounded by the changes of as many old blocks as
 * new ones.
 */

import { balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { liquidDataTable } from "../../../src/tables/liquid-data.ts";
import { assetBalanceHistoryTable } from "../../../src/tables/lists.ts";
import { readKey } from "../../../src/tables/schema/stored-row.ts";
import type { StateStore } from "./state-store.ts";

/**
 * Removes superseded rows of the balance history.
 * @param windowBlocks number of blocks behind the tip for which history is needed: the rollback depth, and the depth of
 *   the heights that may be requested after the deepest rollback
 */
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

/**
 * Like `expireBalanceHistory` for assets; an asset that an account no longer had at the window's start leaves no row.
 */
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

/** Removes the remembered data keys of all heights up to one. Only one page of them is in memory at a time. */
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

/** Rows before the last one of each account at the heights above ?1 up to ?2. */
const EXPIRED_SQL = `
  SELECT old.address, old.height
  FROM (SELECT address, MAX(height) AS height FROM balance_history WHERE height > ?1 AND height <= ?2 GROUP BY address) AS next
  JOIN balance_history AS old ON old.address = next.address AND old.height < next.height`;

/** Rows before the last one of each holder at the heights above ?1 up to ?2, and that last one itself if it is 0. */
const EXPIRED_ASSETS_SQL = `
  SELECT old.asset, old.holder, old.height
  FROM (
    SELECT asset, holder, MAX(height) AS height FROM asset_balance_history
    WHERE height > ?1 AND height <= ?2 GROUP BY asset, holder
  ) AS next
  JOIN asset_balance_history AS old ON old.asset = next.asset AND old.holder = next.holder
    AND old.height <= next.height AND (old.height < next.height OR old.balance = 0)`;

/** Holders of an asset or of WAVES, now and at a height. */
import type { Address } from "../crypto/identities.ts";
import { idStateKey, unsupportedStateKey } from "../network/remote-state-key.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import { accountTable, assetBalanceTable } from "../tables/accounts.ts";
import { accountNumberTable, assetBalanceHistoryTable } from "../tables/lists.ts";
import { i64 } from "../tables/schema/column.ts";
import { columnsOf, computed } from "./columns.ts";
import { type Query, query, withRemoteKeys } from "./query.ts";
import { blobList, byKeyIndex, keyIndex, requestedKeysAt } from "./requested-keys.ts";

export interface Holder {
  readonly address: Address;
  /** Always above 0. */
  readonly balance: bigint;
}

/** A page in the order of the addresses. */
export interface HolderPage {
  /** Only addresses after this one. */
  readonly after: Address | undefined;
  readonly limit: number;
}

const holder = columnsOf(assetBalanceTable, ["address", "balance"]);

/** Holders of an asset at the tip. */
export function holdersOfAssetQuery(asset: AssetId, { after, limit }: HolderPage): Query<readonly Holder[]> {
  return withRemoteKeys(
    () => [idStateKey("holders", asset)],
    query(
      `SELECT ${holder.sql} FROM asset_balance
     WHERE asset = ?1 AND address > ifnull(?2, x'') AND balance > 0 ORDER BY address LIMIT ?3`,
      [asset, after ?? null, limit],
      (rows) => rows.map(holder.read),
    ),
  );
}

const numbered = columnsOf(accountNumberTable, ["address"], "account");
const heldAt = columnsOf(assetBalanceHistoryTable, ["balance"], "held");

/**
 * Holders of an asset after the block of that height, in the order in which the chain first saw them.
 * @param page `after`: ignored if the chain has not seen the address
 */
export function holdersOfAssetAtQuery(
  asset: AssetId,
  height: number,
  { after, limit }: HolderPage,
): Query<readonly Holder[]> {
  return withRemoteKeys(
    () => [idStateKey("holders", asset)],
    query(
      `SELECT ${numbered.sql}, ${heldAt.sql}
     FROM asset_balance_history held JOIN account_number account ON account.number = held.holder
     WHERE held.asset = ?1 AND held.holder > ifnull((SELECT number FROM account_number WHERE address = ?3), 0)
       AND held.height <= ?2 AND held.balance > 0 AND NOT EXISTS (
         SELECT 1 FROM asset_balance_history later
         WHERE later.asset = ?1 AND later.holder = held.holder AND later.height > held.height AND later.height <= ?2
       )
     ORDER BY held.holder LIMIT ?4`,
      [asset, height, after ?? null, limit],
      (rows) => rows.map((row) => ({ ...numbered.read(row), ...heldAt.read(row) })),
    ),
  );
}

/** Balances of one asset after the block of that height, in the order of the addresses. */
export function balancesOfAssetAtQuery(
  addresses: readonly Address[],
  asset: Uint8Array,
  height: number,
): Query<readonly bigint[]> {
  return withRemoteKeys(
    () => [idStateKey("holders", asset)],
    query(
      `SELECT ${keyIndex.sql}, ${heldAt.sql} FROM ${requestedKeysAt("?1")}
     CROSS JOIN account_number account ON account.address = wanted.value
     CROSS JOIN asset_balance_history held ON held.asset = ?2 AND held.holder = account.number AND held.height = (
       SELECT max(height) FROM asset_balance_history
       WHERE asset = ?2 AND holder = account.number AND height <= ?3
     )`,
      [blobList(addresses), asset, height],
      (rows) => byKeyIndex(addresses, rows, (row) => heldAt.read(row).balance, 0n),
    ),
  );
}

const allAccounts = unsupportedStateKey("a fork does not know all accounts of the network behind it");

/** Accounts of one read, with or without WAVES. */
export interface AccountPage {
  readonly holders: readonly Holder[];
  /** Undefined: there are no more accounts. */
  readonly last: Address | undefined;
}

function accountPageOf(accounts: readonly Holder[]): AccountPage {
  return { holders: accounts.filter(({ balance }) => balance > 0n), last: accounts.at(-1)?.address };
}

const account = columnsOf(accountTable, ["address", "balance"]);

/** Accounts with their WAVES at the tip. */
export function accountsPageQuery({ after, limit }: HolderPage): Query<AccountPage> {
  return withRemoteKeys(
    () => [allAccounts],
    query(
      `SELECT ${account.sql} FROM account WHERE address > ifnull(?1, x'') ORDER BY address LIMIT ?2`,
      [after ?? null, limit],
      (rows) => accountPageOf(rows.map(account.read)),
    ),
  );
}

const accountOfPage = columnsOf(accountTable, ["address"], "page");
const balanceAt = computed(
  "balance",
  i64,
  `ifnull((
     SELECT balance FROM balance_history history
     WHERE history.address = page.address AND history.height <= ?1 ORDER BY history.height DESC LIMIT 1
   ), 0)`,
);

/** Accounts with their WAVES after the block of that height. */
export function accountsPageAtQuery(height: number, { after, limit }: HolderPage): Query<AccountPage> {
  return withRemoteKeys(
    () => [allAccounts],
    query(
      `SELECT ${accountOfPage.sql}, ${balanceAt.sql}
     FROM (SELECT address FROM account WHERE address > ifnull(?2, x'') ORDER BY address LIMIT ?3) page
     ORDER BY page.address`,
      [height, after ?? null, limit],
      (rows) => accountPageOf(rows.map((row) => ({ ...accountOfPage.read(row), balance: balanceAt.read(row) }))),
    ),
  );
}

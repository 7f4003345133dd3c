/** Who has how much: of an asset or of WAVES, now and at a height. */
import type { Address } from "../crypto/identities.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import { type BlobText, blob, blobList, blobsOf, bytesOf, type I64Text, i64, i64Of } from "./column.ts";
import { type Query, query } from "./query.ts";

export interface Holder {
  readonly address: Address;
  /** More than 0. */
  readonly balance: bigint;
}

interface HolderRow {
  readonly address: BlobText;
  readonly balance: I64Text;
}

function holdersOf(rows: readonly HolderRow[]): readonly Holder[] {
  return rows.map(({ address, balance }) => ({ address: bytesOf(address), balance: i64Of(balance) }));
}

/** A part of a list in the order of the addresses. */
export interface HolderPage {
  /** Only addresses behind this one. */
  readonly after: Address | undefined;
  readonly limit: number;
}

/** Holders of an asset at the tip. */
export function holdersOfAssetQuery(asset: AssetId, { after, limit }: HolderPage): Query<readonly Holder[]> {
  return query(
    `SELECT ${blob("address")}, ${i64("balance")} FROM asset_balance
     WHERE asset = ?1 AND address > ifnull(?2, x'') AND balance > 0 ORDER BY asset_balance.address LIMIT ?3`,
    [asset, after ?? null, limit],
    holdersOf,
  );
}

/**
 * Holders of an asset after the block of that height, in the order in which the chain saw them first.
 * @param page `after`: an address that the chain has not seen is as good as none
 */
export function holdersOfAssetAtQuery(
  asset: AssetId,
  height: number,
  { after, limit }: HolderPage,
): Query<readonly Holder[]> {
  return query(
    `SELECT ${blob("account.address", "address")}, ${i64("held.balance", "balance")}
     FROM asset_balance_history held JOIN account_number account ON account.number = held.holder
     WHERE held.asset = ?1 AND held.holder > ifnull((SELECT number FROM account_number WHERE address = ?3), 0)
       AND held.height <= ?2 AND held.balance > 0 AND NOT EXISTS (
         SELECT 1 FROM asset_balance_history later
         WHERE later.asset = ?1 AND later.holder = held.holder AND later.height > held.height AND later.height <= ?2
       )
     ORDER BY held.holder LIMIT ?4`,
    [asset, height, after ?? null, limit],
    holdersOf,
  );
}

/** Balances of one asset after the block of that height, in the order of the addresses. */
export function balancesOfAssetAtQuery(
  addresses: readonly Address[],
  asset: Uint8Array,
  height: number,
): Query<readonly bigint[]> {
  return query<{ readonly place: number; readonly balance: I64Text }, readonly bigint[]>(
    `SELECT wanted.place AS place, ${i64("held.balance", "balance")} FROM ${blobsOf("?1")} wanted
     CROSS JOIN account_number account ON account.address = wanted.value
     CROSS JOIN asset_balance_history held ON held.asset = ?2 AND held.holder = account.number AND held.height = (
       SELECT max(height) FROM asset_balance_history
       WHERE asset = ?2 AND holder = account.number AND height <= ?3
     )`,
    [blobList(addresses), asset, height],
    (rows) => {
      const balances = addresses.map(() => 0n);
      for (const row of rows) balances[row.place] = i64Of(row.balance);
      return balances;
    },
  );
}

/** Accounts that are read at a time, whether or not they have WAVES. */
export interface AccountPage {
  readonly holders: readonly Holder[];
  /** undefined: there are no more accounts. */
  readonly last: Address | undefined;
}

function accountPageOf(rows: readonly HolderRow[]): AccountPage {
  const accounts = holdersOf(rows);
  return { holders: accounts.filter(({ balance }) => balance > 0n), last: accounts.at(-1)?.address };
}

/** Accounts with their WAVES at the tip. */
export function accountsPageQuery({ after, limit }: HolderPage): Query<AccountPage> {
  return query(
    `SELECT ${blob("address")}, ${i64("balance")} FROM account WHERE address > ifnull(?1, x'')
     ORDER BY account.address LIMIT ?2`,
    [after ?? null, limit],
    accountPageOf,
  );
}

/** Accounts with their WAVES after the block of that height. */
export function accountsPageAtQuery(height: number, { after, limit }: HolderPage): Query<AccountPage> {
  return query(
    `SELECT ${blob("page.address", "address")}, CAST(ifnull((
       SELECT balance FROM balance_history history
       WHERE history.address = page.address AND history.height <= ?1 ORDER BY history.height DESC LIMIT 1
     ), 0) AS TEXT) AS balance
     FROM (SELECT address FROM account WHERE address > ifnull(?2, x'') ORDER BY address LIMIT ?3) page
     ORDER BY page.address`,
    [height, after ?? null, limit],
    accountPageOf,
  );
}

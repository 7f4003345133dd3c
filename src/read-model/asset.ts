/** Tables `asset` and `asset_balance`. */
import type { Address } from "../crypto/identities.ts";
import { Feature } from "../network/features.ts";
import { accountStateKey, balanceStateKey, idStateKey, tokenStateKey } from "../network/remote-state-key.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import { assetBalanceTable } from "../tables/accounts.ts";
import { assetTable } from "../tables/assets.ts";
import { transactionTable } from "../tables/blocks.ts";
import { accountNftTable } from "../tables/lists.ts";
import { flag } from "../tables/schema/column.ts";
import { whereIs } from "../tables/schema/where-is.ts";
import { columnsOf, computed, type ResultRow } from "./columns.ts";
import { isLatestOf } from "./latest-transaction.ts";
import { point, type Query, query, withRemoteKeys } from "./query.ts";
import { blobList, byKeyIndex, keyIndex, requestedKeysAt } from "./requested-keys.ts";

const columns = columnsOf(assetTable, [
  "id",
  "issuer",
  "originTransactionId",
  "issueHeight",
  "sequenceInBlock",
  "decimals",
  "nft",
  "volume",
  "reissuable",
  "name",
  "description",
  "script",
  "scriptComplexity",
  "minSponsoredAssetFee",
]);
const origin = columnsOf(transactionTable, ["bytes"], "origin");
const isOriginProtobuf = computed(
  "origin_protobuf",
  flag,
  `EXISTS (SELECT 1 FROM feature WHERE id = ${Feature.BlockV5} AND activation_height <= asset.issue_height)`,
);
const assetSql = `${columns.sql}, ${origin.sql}, ${isOriginProtobuf.sql}`;
const withOrigin = `LEFT JOIN tx origin ON ${isLatestOf("asset.origin_tx", "origin")}`;

/** `minSponsoredAssetFee`: 0 while fees are not sponsored. */
export type StoredAsset = ReturnType<typeof columns.read> & {
  /** Transaction that issued the asset, as in its block. */
  readonly origin: { readonly bytes: Uint8Array; readonly isProtobuf: boolean } | undefined;
};

function assetOf(row: ResultRow): StoredAsset {
  const issue = origin.find(row);
  return { ...columns.read(row), origin: issue && { ...issue, isProtobuf: isOriginProtobuf.read(row) } };
}

/** Assets in the order of the ids; undefined for unknown ones. */
export function assetsQuery(ids: readonly Uint8Array[]): Query<readonly (StoredAsset | undefined)[]> {
  return withRemoteKeys(
    () => ids.map((id) => idStateKey("asset", id)),
    query(
      `SELECT ${keyIndex.sql}, ${assetSql} FROM ${requestedKeysAt("?1")} JOIN asset ON asset.id = wanted.value ${withOrigin}`,
      [blobList(ids)],
      (rows) => byKeyIndex(ids, rows, assetOf, undefined),
    ),
  );
}

/** Last 12 bytes of an asset id, which an Ethereum wallet leaves out: their highest value. */
const beyondToken = "ff".repeat(12);

const isOfToken = `asset.id BETWEEN wanted.value AND unhex(hex(wanted.value) || '${beyondToken}')`;

const idColumn = columnsOf(assetTable, ["id"]);

/**
 * Ids of assets by their first 20 bytes, as Ethereum wallets know them, in the order of the tokens; undefined for
 * unknown ones.
 */
export function assetsOfTokensQuery(tokens: readonly Uint8Array[]): Query<readonly (AssetId | undefined)[]> {
  return withRemoteKeys(
    () => tokens.map(tokenStateKey),
    query(
      `SELECT ${keyIndex.sql}, ${idColumn.sql} FROM ${requestedKeysAt("?1")} JOIN asset ON ${isOfToken}`,
      [blobList(tokens)],
      (rows) => byKeyIndex(tokens, rows, (row) => idColumn.read(row).id, undefined),
    ),
  );
}

/** Assets by the first 20 bytes of their ids. @param tokens 20 bytes each */
export function tokensQuery(tokens: readonly Uint8Array[]): Query<readonly (StoredAsset | undefined)[]> {
  return withRemoteKeys(
    () => tokens.map(tokenStateKey),
    query(
      `SELECT ${keyIndex.sql}, ${assetSql} FROM ${requestedKeysAt("?1")} JOIN asset ON ${isOfToken} ${withOrigin}`,
      [blobList(tokens)],
      (rows) => byKeyIndex(tokens, rows, assetOf, undefined),
    ),
  );
}

const held = columnsOf(assetBalanceTable, ["balance"], "held");

/** Balance of one asset; 0 for unknown assets and accounts. */
export function assetBalanceQuery(address: Address, asset: AssetId): Query<bigint> {
  return withRemoteKeys(
    () => [balanceStateKey(address, asset)],
    point(`SELECT ${held.sql} FROM asset_balance held WHERE address = ?1 AND asset = ?2`, [address, asset], (row) =>
      row ? held.read(row).balance : 0n,
    ),
  );
}

/** Balances of one asset, in the order of the addresses. */
export function balancesOfAssetQuery(addresses: readonly Address[], asset: Uint8Array): Query<readonly bigint[]> {
  return withRemoteKeys(
    () => addresses.map((address) => balanceStateKey(address, asset)),
    query(
      `SELECT ${keyIndex.sql}, ${held.sql} FROM ${requestedKeysAt("?1")}
     JOIN asset_balance held ON held.address = wanted.value AND held.asset = ?2`,
      [blobList(addresses), asset],
      (rows) => byKeyIndex(addresses, rows, (row) => held.read(row).balance, 0n),
    ),
  );
}

/** Balances of several assets of one account, in the order of the ids. */
export function assetBalancesQuery(address: Address, ids: readonly Uint8Array[]): Query<readonly bigint[]> {
  return withRemoteKeys(
    () => ids.map((id) => balanceStateKey(address, id)),
    query(
      `SELECT ${keyIndex.sql}, ${held.sql} FROM ${requestedKeysAt("?2")}
     JOIN asset_balance held ON held.address = ?1 AND held.asset = wanted.value`,
      [address, blobList(ids)],
      (rows) => byKeyIndex(ids, rows, (row) => held.read(row).balance, 0n),
    ),
  );
}

/** A fungible asset with a positive balance. */
export interface Holding {
  readonly asset: StoredAsset;
  readonly balance: bigint;
}

/** Fungible assets of an account in the order of their ids. @param after only ids after this one */
export function holdingsQuery(address: Address, after: AssetId | undefined, limit: number): Query<readonly Holding[]> {
  return withRemoteKeys(
    () => [accountStateKey("holdings", address)],
    query(
      `SELECT ${assetSql}, ${held.sql}
     FROM asset_balance held JOIN asset ON asset.id = held.asset ${withOrigin}
     WHERE held.address = ?1 AND held.asset > ifnull(?2, x'') AND held.balance > 0 AND ${whereIs(assetTable, "nft", false)}
     ORDER BY held.asset LIMIT ?3`,
      [address, after ?? null, limit],
      (rows) => rows.map((row) => ({ asset: assetOf(row), ...held.read(row) })),
    ),
  );
}

/**
 * NFTs of an account in the order of receipt.
 * @param after only NFTs after this one. The account must have or have had it; otherwise the result is empty
 */
export function nftsQuery(
  address: Address,
  after: Uint8Array | undefined,
  limit: number,
): Query<readonly StoredAsset[]> {
  // On a fork, NFTs listed before the fork have numbers below zero.
  const start =
    after === undefined
      ? `${Number.MIN_SAFE_INTEGER}`
      : "(SELECT number FROM account_nft WHERE address = ?1 AND asset = ?3)";
  return withRemoteKeys(
    () => [accountStateKey("nfts", address)],
    query(
      `SELECT ${assetSql} FROM account_nft held JOIN asset ON asset.id = held.asset ${withOrigin}
     WHERE held.address = ?1 AND ${whereIs(accountNftTable, "isHeld", true, "held")} AND held.number > ${start} ORDER BY held.number LIMIT ?2`,
      [address, limit, ...(after === undefined ? [] : [after])],
      (rows) => rows.map(assetOf),
    ),
  );
}

/** Tables `asset` and `asset_balance`. */
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { AssetId } from "../protocol/transactions/asset.ts";
import type { Script, TransactionId } from "../protocol/transactions/transaction.ts";
import { type BlobText, blob, blobList, blobsOf, bytesOf, type I64Text, i64, i64Of } from "./column.ts";
import { type Query, query } from "./query.ts";

export interface StoredAsset {
  readonly id: AssetId;
  readonly issuer: PublicKey;
  readonly originTransactionId: TransactionId;
  readonly issueHeight: number;
  /** 1-based number among the assets issued in its block. */
  readonly sequenceInBlock: number;
  readonly decimals: number;
  readonly isNft: boolean;
  readonly quantity: bigint;
  readonly isReissuable: boolean;
  readonly name: Uint8Array;
  readonly description: Uint8Array;
  readonly script: { readonly script: Script; readonly complexity: bigint } | undefined;
  /** undefined while fees are not sponsored. */
  readonly minSponsoredFee: bigint | undefined;
  /** The transaction that issued it, as in its block. */
  readonly origin: { readonly bytes: Uint8Array; readonly isProtobuf: boolean } | undefined;
}

interface AssetRow {
  readonly id: BlobText;
  readonly issuer: BlobText;
  readonly origin_tx: BlobText;
  readonly issue_height: number;
  readonly sequence: number;
  readonly decimals: number;
  readonly nft: number;
  readonly volume: string;
  readonly reissuable: number;
  readonly name: BlobText;
  readonly description: BlobText;
  readonly script: BlobText | null;
  readonly script_complexity: I64Text;
  readonly min_sponsored_fee: I64Text;
  readonly origin_bytes: BlobText | null;
  readonly origin_protobuf: number;
}
const assetColumns = [
  blob("asset.id", "id"),
  blob("issuer"),
  blob("origin_tx"),
  "issue_height",
  "sequence",
  "decimals",
  "nft",
  "volume",
  "reissuable",
  blob("name"),
  blob("description"),
  blob("script"),
  i64("script_complexity"),
  i64("min_sponsored_fee"),
  blob("origin.bytes", "origin_bytes"),
  "EXISTS (SELECT 1 FROM feature WHERE id = 15 AND activation_height <= issue_height) AS origin_protobuf",
].join(", ");
const withOrigin = "LEFT JOIN tx origin ON origin.id = asset.origin_tx";

function assetOf(row: AssetRow): StoredAsset {
  const minSponsoredFee = i64Of(row.min_sponsored_fee);
  return {
    id: bytesOf(row.id),
    issuer: bytesOf(row.issuer),
    originTransactionId: bytesOf(row.origin_tx),
    issueHeight: row.issue_height,
    sequenceInBlock: row.sequence,
    decimals: row.decimals,
    isNft: row.nft === 1,
    quantity: BigInt(row.volume),
    isReissuable: row.reissuable === 1,
    name: bytesOf(row.name),
    description: bytesOf(row.description),
    script: row.script === null ? undefined : { script: bytesOf(row.script), complexity: i64Of(row.script_complexity) },
    minSponsoredFee: minSponsoredFee === 0n ? undefined : minSponsoredFee,
    origin:
      row.origin_bytes === null
        ? undefined
        : { bytes: bytesOf(row.origin_bytes), isProtobuf: row.origin_protobuf === 1 },
  };
}

/** Assets in the order of the ids; undefined for unknown ones. */
export function assetsQuery(ids: readonly Uint8Array[]): Query<readonly (StoredAsset | undefined)[]> {
  return query<AssetRow & { readonly place: number }, readonly (StoredAsset | undefined)[]>(
    `SELECT place, ${assetColumns} FROM ${blobsOf("?1")} wanted JOIN asset ON asset.id = wanted.value ${withOrigin}`,
    [blobList(ids)],
    (rows) => {
      const found: (StoredAsset | undefined)[] = ids.map(() => undefined);
      for (const row of rows) found[row.place] = assetOf(row);
      return found;
    },
  );
}

/** Bytes of an asset's id that an Ethereum wallet leaves out. */
const beyondToken = "ff".repeat(12);

/** Ids of the assets that Ethereum wallets know by these first 20 bytes, in their order; undefined for unknown ones. */
export function assetsOfTokensQuery(tokens: readonly Uint8Array[]): Query<readonly (AssetId | undefined)[]> {
  return query<{ readonly place: number; readonly id: BlobText }, readonly (AssetId | undefined)[]>(
    `SELECT place, ${blob("asset.id", "id")} FROM ${blobsOf("?1")} wanted
     JOIN asset ON asset.id BETWEEN wanted.value AND unhex(hex(wanted.value) || '${beyondToken}')`,
    [blobList(tokens)],
    (rows) => {
      const found: (AssetId | undefined)[] = tokens.map(() => undefined);
      for (const row of rows) found[row.place] = bytesOf(row.id);
      return found;
    },
  );
}

/** Balance of one asset; 0 for unknown assets and accounts. */
export function assetBalanceQuery(address: Address, asset: AssetId): Query<bigint> {
  return query<{ readonly balance: I64Text }, bigint>(
    `SELECT ${i64("balance")} FROM asset_balance WHERE address = ?1 AND asset = ?2`,
    [address, asset],
    ([row]) => (row ? i64Of(row.balance) : 0n),
  );
}

/** Balances of one asset, in the order of the addresses. */
export function balancesOfAssetQuery(addresses: readonly Address[], asset: Uint8Array): Query<readonly bigint[]> {
  return query<{ readonly place: number; readonly balance: I64Text }, readonly bigint[]>(
    `SELECT place, ${i64("balance")} FROM ${blobsOf("?1")} wanted
     JOIN asset_balance held ON held.address = wanted.value AND held.asset = ?2`,
    [blobList(addresses), asset],
    (rows) => {
      const balances = addresses.map(() => 0n);
      for (const row of rows) balances[row.place] = i64Of(row.balance);
      return balances;
    },
  );
}

/** Balances of several assets of one account, in the order of the ids. */
export function assetBalancesQuery(address: Address, ids: readonly Uint8Array[]): Query<readonly bigint[]> {
  return query<{ readonly place: number; readonly balance: I64Text }, readonly bigint[]>(
    `SELECT place, ${i64("balance")} FROM ${blobsOf("?2")} wanted
     JOIN asset_balance held ON held.address = ?1 AND held.asset = wanted.value`,
    [address, blobList(ids)],
    (rows) => {
      const balances = ids.map(() => 0n);
      for (const row of rows) balances[row.place] = i64Of(row.balance);
      return balances;
    },
  );
}

/** A fungible asset that an account has some of. */
export interface Holding {
  readonly asset: StoredAsset;
  readonly balance: bigint;
}

/** Fungible assets of an account in the order of their ids. @param after only ids behind this one */
export function holdingsQuery(address: Address, after: AssetId | undefined, limit: number): Query<readonly Holding[]> {
  return query<AssetRow & { readonly balance: I64Text }, readonly Holding[]>(
    `SELECT ${assetColumns}, ${i64("held.balance", "balance")}
     FROM asset_balance held JOIN asset ON asset.id = held.asset ${withOrigin}
     WHERE held.address = ?1 AND held.asset > ifnull(?2, x'') AND held.balance > 0 AND asset.nft = 0
     ORDER BY held.asset LIMIT ?3`,
    [address, after ?? null, limit],
    (rows) => rows.map((row) => ({ asset: assetOf(row), balance: i64Of(row.balance) })),
  );
}

/**
 * NFTs of an account in the order in which it got them.
 * @param after only what comes behind this one, which the account must have or have had; otherwise nothing does
 */
export function nftsQuery(
  address: Address,
  after: Uint8Array | undefined,
  limit: number,
): Query<readonly StoredAsset[]> {
  const start = after === undefined ? "0" : "(SELECT number FROM account_nft WHERE address = ?1 AND asset = ?3)";
  return query<AssetRow, readonly StoredAsset[]>(
    `SELECT ${assetColumns} FROM account_nft held JOIN asset ON asset.id = held.asset ${withOrigin}
     WHERE held.address = ?1 AND held.is_held = 1 AND held.number > ${start} ORDER BY held.number LIMIT ?2`,
    [address, limit, ...(after === undefined ? [] : [after])],
    (rows) => rows.map(assetOf),
  );
}

/**
 * Check that the balances of each asset sum up to its volume. Sums by asset would take memory for every asset, so each
 * amount is multiplied by a number drawn for its asset, and one sum over all balances is compared with one over all
 * volumes. The numbers follow from the digest of the checkpoint: a changed amount gives other numbers, so none can be
 * chosen to make the sums agree.
 */
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import { assetBalanceTable } from "../../../src/tables/accounts.ts";
import { assetTable } from "../../../src/tables/assets.ts";
import type { JsonCell } from "../../../src/tables/schema/cell.ts";
import { keyOfCells, keyText } from "../../../src/tables/schema/row-text.ts";
import { bindKey } from "../../../src/tables/schema/stored-row.ts";
import type { Row, Table } from "../../../src/tables/schema/table.ts";
import type { StoredChain } from "../chain/stored-chain.ts";
import type { StateStore } from "../state/state-store.ts";
import { carryFees } from "./carry-fees.ts";
import { CheckpointRefused } from "./manifest.ts";

/** Rows in one read. */
const READ_ROWS = 5_000;
const WEIGHT_BYTES = 16;

/** Progress of the sums, as JSON. */
export interface AssetSums {
  /** Balances come first, then the volumes of the assets. */
  readonly of: "balances" | "volumes";
  /** Key of the last row, as JSON; undefined: no row was read yet. */
  readonly after?: string;
  /** Sum of balances minus volumes; decimal. */
  readonly sum: string;
}

export const noAssetSums: AssetSums = { of: "balances", sum: "0" };

/**
 * Adds a few thousand rows.
 * @param digest of the checkpoint, hex
 * @returns undefined: all rows were read, and the sums agree
 * @throws CheckpointRefused
 */
export function sumAssets(
  store: StateStore,
  stored: StoredChain,
  digest: string,
  { of, after, sum }: AssetSums,
): AssetSums | undefined {
  const weigh = assetWeights(decodeHex(digest));
  let total = BigInt(sum);
  if (of === "balances") {
    const rows = rowsAfter(store, assetBalanceTable, after);
    for (const { asset, balance } of rows) total += balance * weigh(asset);
    const last = rows.at(-1);
    if (last !== undefined) return { of, after: keyText(assetBalanceTable, last), sum: String(total) };
    for (const { asset, amount } of carryFees(stored).ofAssets()) total += amount * weigh(asset);
    return { of: "volumes", sum: String(total) };
  }
  const rows = rowsAfter(store, assetTable, after);
  for (const { id, volume } of rows) total -= volume * weigh(id);
  const last = rows.at(-1);
  if (last !== undefined) return { of, after: keyText(assetTable, last), sum: String(total) };
  if (total !== 0n) throw new CheckpointRefused("the balances of some asset do not sum up to its volume");
  return undefined;
}

function rowsAfter<R extends Row>(store: StateStore, table: Table<R>, after: string | undefined): R[] {
  const key = after === undefined ? undefined : keyOfCells(table, JSON.parse(after) as JsonCell[]);
  const where = key === undefined ? "" : table.afterKeySql;
  const bindings = key === undefined ? [] : bindKey(table, key);
  return store.query(table, `${where} ${table.byKeySql} LIMIT ?`, ...bindings, READ_ROWS);
}

function assetWeights(seed: Uint8Array): (asset: AssetId) => bigint {
  return (asset) => {
    const drawn = blake2b256(concatBytes(seed, asset));
    const words = new DataView(drawn.buffer, drawn.byteOffset, WEIGHT_BYTES);
    return (words.getBigUint64(0) << 64n) + words.getBigUint64(8);
  };
}

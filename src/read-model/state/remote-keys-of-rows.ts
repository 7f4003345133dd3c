/** Remote state keys for rows that a view of the state reads: see `Query.stands`. */
import type { Address } from "../../crypto/identities.ts";
import {
  accountStateKey,
  aliasStateKey,
  balanceStateKey,
  entryStateKey,
  headerStateKey,
  idStateKey,
  type RemoteStateKey,
  tokenStateKey,
} from "../../network/remote-state-key.ts";
import { accountScriptTable } from "../../tables/account-scripts.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "../../tables/accounts.ts";
import { aliasTable } from "../../tables/aliases.ts";
import { assetTable } from "../../tables/assets.ts";
import { blockTable, transactionTable } from "../../tables/blocks.ts";
import { dataEntryTable, dataOwnerTable } from "../../tables/data-entries.ts";
import { leaseTable } from "../../tables/leases.ts";
import type { StoredValue } from "../../tables/schema/cell.ts";
import type { Table } from "../../tables/schema/table.ts";

const TOKEN_BYTES = 20;

const bytesOf = (value: StoredValue | undefined): Uint8Array => new Uint8Array(value as ArrayBuffer);
const addressOf = (value: StoredValue | undefined): Address => bytesOf(value) as Address;

/** Remote state key for the first bindings of a statement; the first one is the row's key. */
type RemoteKeyOf = (first: StoredValue | undefined, second: StoredValue | undefined) => RemoteStateKey;

const remoteKeysOfTables: ReadonlyMap<Table, RemoteKeyOf> = new Map<Table, RemoteKeyOf>([
  [accountTable, (address) => accountStateKey("account", addressOf(address))],
  [balanceHistoryTable, (address) => accountStateKey("account", addressOf(address))],
  [assetBalanceTable, (address, asset) => balanceStateKey(addressOf(address), bytesOf(asset))],
  // Range of ids with the same first 20 bytes, which an Ethereum address refers to.
  [
    assetTable,
    (id, last) =>
      last === undefined ? idStateKey("asset", bytesOf(id)) : tokenStateKey(bytesOf(id).subarray(0, TOKEN_BYTES)),
  ],
  [accountScriptTable, (address) => accountStateKey("script", addressOf(address))],
  [dataEntryTable, (address, key) => entryStateKey(addressOf(address), String(key))],
  [dataOwnerTable, (address) => accountStateKey("dataOwner", addressOf(address))],
  [aliasTable, (name) => aliasStateKey(String(name))],
  [leaseTable, (id) => idStateKey("lease", bytesOf(id))],
  [transactionTable, (id) => idStateKey("transaction", bytesOf(id))],
  [blockTable, (height) => headerStateKey(Number(height))],
]);

/** @param bindings bindings of a statement on the table; without any, the statement is about existing rows only */
export function remoteKeysOfRows(table: Table, bindings: readonly StoredValue[]): readonly RemoteStateKey[] {
  const remoteKeyOf = remoteKeysOfTables.get(table);
  return remoteKeyOf === undefined || bindings.length === 0 ? [] : [remoteKeyOf(bindings[0], bindings[1])];
}

/** @param sql query for the height of a block id, or for data that the fork has itself */
export function remoteKeysOfScalar(sql: string, bindings: readonly StoredValue[]): readonly RemoteStateKey[] {
  const [id] = bindings;
  return sql.includes("FROM block WHERE id = ?") && id instanceof ArrayBuffer ? [idStateKey("block", bytesOf(id))] : [];
}

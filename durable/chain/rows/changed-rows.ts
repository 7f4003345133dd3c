/** What an overlay holds, as rows of the tables. */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { withoutHalves } from "../../../src/protocol/codec/utf8.ts";
import type { OverlayView, StateChanges } from "../../../src/rules/state/overlay-view.ts";
import type { AssetDescription } from "../../../src/rules/state/state-view.ts";
import { accountScriptTable } from "../../../src/tables/account-scripts.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { type AssetRow, assetTable } from "../../../src/tables/assets.ts";
import { commitmentTable } from "../../../src/tables/commitments.ts";
import { dataEntryTable, dataOwnerTable } from "../../../src/tables/data-entries.ts";
import { leaseTable } from "../../../src/tables/leases.ts";
import { orderFillTable } from "../../../src/tables/order-fills.ts";
import { added, type RowChange, removed, written } from "../../../src/tables/schema/row-change.ts";

/**
 * Rows that carry the changes of a block or micro-block.
 * @param view the overlay that holds the changes: it completes values that changed in part
 * @param isNewHeight whether they are the first at their height, where no account has a history row yet
 */
export function changedRows(changes: StateChanges, view: OverlayView, isNewHeight: boolean): RowChange[] {
  const rows: RowChange[] = [];
  const accounts = new Map<BytesKey, { readonly address: Address }>([...changes.balances, ...changes.leaseBalances]);
  for (const { address } of accounts.values()) {
    const lease = view.leaseBalance(address);
    const row = { address, balance: view.balance(address, null), leaseIn: lease.in, leaseOut: lease.out };
    rows.push(written(accountTable, row));
    const history = { ...row, height: view.height };
    rows.push(isNewHeight ? added(balanceHistoryTable, history) : written(balanceHistoryTable, history));
  }
  for (const { address, asset, balance } of changes.assetBalances.values())
    rows.push(written(assetBalanceTable, { address, asset, balance }));
  for (const asset of changes.assets.values()) rows.push(written(assetTable, assetRow(asset)));
  for (const { leaseId, ...lease } of changes.leases.values())
    rows.push(written(leaseTable, { id: leaseId, ...lease }));
  for (const [name, { address, isTakenOver }] of changes.aliases)
    rows.push(written(aliasTable, { name, address, takenOver: isTakenOver }));
  for (const { orderId, volume, fee } of changes.orderFills.values())
    rows.push(written(orderFillTable, { id: orderId, volume, fee }));
  for (const { address, script } of changes.accountScripts.values())
    if (script === undefined) rows.push(removed(accountScriptTable, { address }));
    else rows.push(written(accountScriptTable, { ...script, address, height: view.height }));
  for (const { address, key: madeKey, value } of changes.data.values()) {
    // Keys that are the same as bytes are one key from the next step on, as in the reference's database.
    const key = withoutHalves(madeKey);
    if (value === null) rows.push(removed(dataEntryTable, { address, key }));
    else rows.push(written(dataEntryTable, { address, key, value }));
  }
  // A data transaction without entries counts within its block only.
  const withEntries = new Set([...changes.data.values()].map(({ address }) => bytesKey(address)));
  for (const [key, address] of changes.dataOwners)
    if (withEntries.has(key) && !view.base.hasData(address)) rows.push(written(dataOwnerTable, { address }));
  for (const { index, ...commitment } of changes.commitments.values())
    rows.push(added(commitmentTable, { position: index, ...commitment }));
  return rows;
}

function assetRow({ assetId, script, ...asset }: AssetDescription): AssetRow {
  return { id: assetId, ...asset, script: script?.script, scriptComplexity: script?.complexity ?? 0n };
}

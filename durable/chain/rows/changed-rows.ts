/** What an overlay holds, as rows of the tables. */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { withoutHalves } from "../../../src/protocol/codec/utf8.ts";
import type { OverlayView, StateChanges } from "../../../src/rules/state/overlay-view.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { assetTable, orderFillTable } from "../../../src/tables/assets.ts";
import { encodeDataValue } from "../../../src/tables/data-value.ts";
import {
  accountScriptTable,
  aliasTable,
  dataEntryTable,
  dataOwnerTable,
  leaseTable,
} from "../../../src/tables/names-and-data.ts";
import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import type { Table } from "../../../src/tables/schema/table.ts";
import { leaseStatuses } from "../../../src/tables/view/table-view.ts";

/**
 * Rows that carry the changes of a block or micro-block.
 * @param view the overlay that holds the changes: it completes values that changed in part
 * @param isNewHeight whether they are the first at their height, where no account has a history row yet
 */
export function changedRows(changes: StateChanges, view: OverlayView, isNewHeight: boolean): RowChange[] {
  const rows: RowChange[] = [];
  const put = (table: Table, row: RowChange["row"]): void => {
    rows.push({ table, row });
  };
  const accounts = new Map<BytesKey, { readonly address: Address }>([...changes.balances, ...changes.leaseBalances]);
  for (const { address } of accounts.values()) {
    const lease = view.leaseBalance(address);
    const row = { address, balance: view.balance(address, null), leaseIn: lease.in, leaseOut: lease.out };
    put(accountTable, row);
    rows.push({ table: balanceHistoryTable, row: { ...row, height: view.height }, isNew: isNewHeight });
  }
  for (const { address, asset, balance } of changes.assetBalances.values())
    put(assetBalanceTable, { address, asset, balance });
  for (const asset of changes.assets.values())
    put(assetTable, {
      id: asset.assetId,
      issuer: asset.issuer,
      originTx: asset.originTransactionId,
      issueHeight: asset.issueHeight,
      sequence: asset.sequenceInBlock,
      decimals: asset.decimals,
      nft: asset.nft ? 1 : 0,
      volume: asset.volume.toString(),
      reissuable: asset.reissuable ? 1 : 0,
      name: asset.name,
      description: asset.description,
      textHeight: asset.textHeight,
      script: asset.script?.script,
      scriptComplexity: asset.script?.complexity ?? 0n,
      minSponsoredFee: asset.minSponsoredAssetFee,
      scriptHeight: asset.scriptHeight,
      sponsorshipHeight: asset.sponsorshipHeight,
    });
  for (const lease of changes.leases.values())
    put(leaseTable, {
      id: lease.leaseId,
      sender: lease.sender,
      recipient: lease.recipient,
      amount: lease.amount,
      originTx: lease.originTransactionId,
      height: lease.height,
      status: leaseStatuses.indexOf(lease.status),
      cancelHeight: lease.cancelHeight,
      cancelTx: lease.cancelTransactionId,
    });
  for (const [name, { address, isTakenOver }] of changes.aliases) {
    put(aliasTable, { name, address, takenOver: isTakenOver ? 1 : 0 });
  }
  for (const { orderId, volume, fee } of changes.orderFills.values()) put(orderFillTable, { id: orderId, volume, fee });
  for (const { address, script } of changes.accountScripts.values())
    if (script === undefined) rows.push({ table: accountScriptTable, row: { address }, removed: true });
    else put(accountScriptTable, { address, ...script, height: view.height });
  for (const { address, key: written, value } of changes.data.values()) {
    // Keys that are the same as bytes are one key from the next step on, as in the reference's database.
    const key = withoutHalves(written);
    if (value === null) rows.push({ table: dataEntryTable, row: { address, key }, removed: true });
    else put(dataEntryTable, { address, key, value: encodeDataValue(value) });
  }
  // A data transaction without entries counts within its block only.
  const written = new Set([...changes.data.values()].map(({ address }) => bytesKey(address)));
  for (const [key, address] of changes.dataOwners)
    if (written.has(key) && !view.base.hasData(address)) put(dataOwnerTable, { address });
  return rows;
}

/** Changes of an overlay as rows of the tables. */

import { type BytesKey, bytesKey } from "../../../../src/crypto/bytes.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { withoutHalves } from "../../../../src/protocol/codec/utf8.ts";
import type { OverlayView, StateChanges } from "../../../../src/rules/state/overlay-view.ts";
import type { AssetDescription } from "../../../../src/rules/state/state-view.ts";
import { accountScriptTable } from "../../../../src/tables/account-scripts.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "../../../../src/tables/accounts.ts";
import { aliasTable } from "../../../../src/tables/aliases.ts";
import { type AssetRow, assetTable } from "../../../../src/tables/assets.ts";
import { commitmentTable } from "../../../../src/tables/commitments.ts";
import { dataEntryTable, dataOwnerTable } from "../../../../src/tables/data-entries.ts";
import { leaseTable } from "../../../../src/tables/leases.ts";
import { orderFillTable } from "../../../../src/tables/order-fills.ts";
import { added, type RowChange, removed, written } from "../../../../src/tables/schema/row-change.ts";

/** Input for making rows of changes. */
interface Changed {
  readonly changes: StateChanges;
  /** The overlay with the changes: it completes partly changed values. */
  readonly view: OverlayView;
  /** Whether the changes are the first at their height, where no account has a history row yet. */
  readonly isNewHeight: boolean;
}

const withOthers = (): readonly RowChange[] => [];

/** Rows of each kind of change, in the order of writing. */
const rowsOf: { readonly [Kind in keyof StateChanges]: (changed: Changed) => readonly RowChange[] } = {
  balances: ({ changes, view, isNewHeight }) => {
    const accounts = new Map<BytesKey, { readonly address: Address }>([...changes.balances, ...changes.leaseBalances]);
    return [...accounts.values()].flatMap(({ address }) => {
      const lease = view.leaseBalance(address);
      const row = { address, balance: view.balance(address, null), leaseIn: lease.in, leaseOut: lease.out };
      const history = { ...row, height: view.height };
      const historyRow = isNewHeight ? added(balanceHistoryTable, history) : written(balanceHistoryTable, history);
      return [written(accountTable, row), historyRow];
    });
  },
  leaseBalances: withOthers,
  assetBalances: ({ changes }) => Array.from(changes.assetBalances.values(), (row) => written(assetBalanceTable, row)),
  assets: ({ changes }) => Array.from(changes.assets.values(), (asset) => written(assetTable, assetRow(asset))),
  leases: ({ changes }) =>
    Array.from(changes.leases.values(), ({ leaseId, ...lease }) => written(leaseTable, { id: leaseId, ...lease })),
  aliases: ({ changes }) =>
    Array.from(changes.aliases, ([name, { address, isTakenOver }]) =>
      written(aliasTable, { name, address, takenOver: isTakenOver }),
    ),
  orderFills: ({ changes }) =>
    Array.from(changes.orderFills.values(), ({ orderId, volume, fee }) =>
      written(orderFillTable, { id: orderId, volume, fee }),
    ),
  accountScripts: ({ changes, view }) =>
    Array.from(changes.accountScripts.values(), ({ address, script }) =>
      script === undefined
        ? removed(accountScriptTable, { address })
        : written(accountScriptTable, { ...script, address, height: view.height }),
    ),
  data: ({ changes }) =>
    Array.from(changes.data.values(), ({ address, key: madeKey, value }) => {
      // Keys with the same bytes are one key once the block is stored, as in the reference's database.
      const key = withoutHalves(madeKey);
      return value === null
        ? removed(dataEntryTable, { address, key })
        : written(dataEntryTable, { address, key, value });
    }),
  // A data transaction without entries counts while its block is liquid (`liquidDataRows`).
  dataOwners: ({ changes, view }) => {
    const withEntries = new Set(Array.from(changes.data.values(), ({ address }) => bytesKey(address)));
    return [...changes.dataOwners]
      .filter(([key, address]) => withEntries.has(key) && !view.base.hasStoredData(address))
      .map(([, address]) => written(dataOwnerTable, { address }));
  },
  commitments: ({ changes }) =>
    Array.from(changes.commitments.values(), ({ index, ...commitment }) =>
      added(commitmentTable, { position: index, ...commitment }),
    ),
  // Endorser keys are in the rows of the commitments.
  endorserKeys: withOthers,
  // Transactions are in rows of their block.
  transactions: withOthers,
};

/** Rows that carry the changes of a block or micro-block. @see Changed */
export function changedRows(changes: StateChanges, view: OverlayView, isNewHeight: boolean): RowChange[] {
  return Object.values(rowsOf).flatMap((rows) => rows({ changes, view, isNewHeight }));
}

function assetRow({ assetId, script, ...asset }: AssetDescription): AssetRow {
  return { id: assetId, ...asset, script: script?.script, scriptComplexity: script?.complexity ?? 0n };
}

/** What scripts are to see of the liquid block's data, as rows. */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { hasSpellings, withoutHalves } from "../../../src/protocol/codec/utf8.ts";
import type { StateChanges } from "../../../src/rules/state/overlay-view.ts";
import { type LiquidDataRow, liquidDataTable } from "../../../src/tables/liquid-data.ts";
import { type RowChange, removed, written } from "../../../src/tables/schema/row-change.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";

/** With a key block the rows of its parent go: it is stored then. As many as they are, they are read as they are taken. */
export function* closedLiquidData({ liquidData }: TableView): Iterable<RowChange> {
  for (const row of liquidData.rows()) yield removed(liquidDataTable, row);
}

/**
 * Rows that a step writes.
 * @param view the tip before the step
 */
export function liquidDataRows(changes: StateChanges, view: TableView, isNewHeight: boolean): RowChange[] {
  return [...spellingRows(changes, view, isNewHeight), ...accountRows(changes, view, isNewHeight)];
}

function spellingRows({ data }: StateChanges, view: TableView, isNewHeight: boolean): RowChange[] {
  const rows: RowChange[] = [];
  for (const { address, key, value } of data.values()) {
    if (!hasSpellings(key)) continue;
    if (isNewHeight || view.liquidData.find(address, key) === undefined) {
      const before = view.findStoredData(address, key) ?? undefined;
      rows.push(written(liquidDataTable, { address, kind: "others", key: withoutHalves(key), value: before }));
    }
    rows.push(written(liquidDataTable, { address, kind: "spelling", key, value: value ?? undefined }));
  }
  return rows;
}

function accountRows({ data, dataOwners }: StateChanges, view: TableView, isNewHeight: boolean): RowChange[] {
  const withEntries = new Set(Array.from(data.values(), ({ address }) => bytesKey(address)));
  return Array.from(dataOwners).flatMap(([key, address]) => {
    const row: LiquidDataRow = { address, kind: "account", key: "", value: undefined };
    if (!withEntries.has(key)) return view.hasStoredData(address) ? [] : [written(liquidDataTable, row)];
    return !isNewHeight && view.liquidData.hasAccount(address) ? [removed(liquidDataTable, row)] : [];
  });
}

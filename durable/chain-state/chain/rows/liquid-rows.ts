/** Rows about data of the liquid block that scripts see besides the data tables. */
import { bytesKey } from "../../../../src/crypto/bytes.ts";
import { hasSpellings, withoutHalves } from "../../../../src/protocol/codec/utf8.ts";
import type { OverlayView } from "../../../../src/rules/state/overlay-view.ts";
import { type LiquidDataRow, liquidDataTable } from "../../../../src/tables/liquid-data.ts";
import { type RowChange, removed, written } from "../../../../src/tables/schema/row-change.ts";
import type { TableView } from "../../../../src/tables/view/table-view.ts";

/**
 * Rows that a commit writes.
 * @param view the tip before the commit
 */
export function liquidDataRows(overlay: OverlayView, view: TableView, isNewHeight: boolean): RowChange[] {
  return [...readRows(overlay), ...spellingRows(overlay, view, isNewHeight), ...accountRows(overlay, view)];
}

function readRows({ height, block: { spellings } }: OverlayView): RowChange[] {
  if (spellings === undefined) return [];
  return Array.from(spellings.firstReads.values(), ({ address, key, value }) =>
    written(liquidDataTable, { address, kind: "read", key, value: value ?? undefined, height }),
  );
}

function spellingRows({ changes, height }: OverlayView, view: TableView, isNewHeight: boolean): RowChange[] {
  const rows: RowChange[] = [];
  for (const { address, key, value } of changes.data.values()) {
    if (!hasSpellings(key)) continue;
    if (isNewHeight || !view.liquidData.isChanged(address, key, height)) {
      const before = view.findStoredData(address, key) ?? undefined;
      rows.push(written(liquidDataTable, { address, kind: "others", key: withoutHalves(key), value: before, height }));
    }
    rows.push(written(liquidDataTable, { address, kind: "spelling", key, value: value ?? undefined, height }));
  }
  return rows;
}

function accountRows({ changes, height }: OverlayView, view: TableView): RowChange[] {
  const { data, dataOwners } = changes;
  const withEntries = new Set(Array.from(data.values(), ({ address }) => bytesKey(address)));
  return Array.from(dataOwners).flatMap(([key, address]) => {
    if (view.hasStoredData(address)) return [];
    const row: LiquidDataRow = { address, kind: "account", key: "", value: undefined, height };
    if (!withEntries.has(key)) return [written(liquidDataTable, row)];
    return view.liquidData.hadAccount(address) ? [removed(liquidDataTable, row)] : [];
  });
}

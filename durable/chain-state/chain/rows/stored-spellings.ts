/**
 * Choice of the stored spelling of a data key when a block writes several that are equal as UTF-8: the last one in the
 * order of the table from which the reference stores a block.
 * @source Waves: database/Caches.scala (append: updatedDataWithNodes), database/RocksDBWriter.scala (appendData)
 */
import { type BytesKey, bytesKey } from "../../../../src/crypto/bytes.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { hasSpellings, withoutHalves } from "../../../../src/protocol/codec/utf8.ts";
import { addressHash, inHashTableOrder, pairHash, textHash } from "../../../../src/protocol/hash-table-order.ts";
import type { DataValue } from "../../../../src/protocol/transactions/transaction.ts";
import type { OverlayView } from "../../../../src/rules/state/overlay-view.ts";
import { type DataEntryRow, dataEntryTable } from "../../../../src/tables/data-entries.ts";
import { type LiquidDataRow, liquidDataTable } from "../../../../src/tables/liquid-data.ts";
import { type RowChange, removed, written } from "../../../../src/tables/schema/row-change.ts";
import type { TableView } from "../../../../src/tables/view/table-view.ts";
import type { StateStore } from "../../state/state-store.ts";

/** With more spellings in a block the last written one is stored, because the order costs memory. */
const mostSpellings = 10_000;
const dataTables = new Set([dataEntryTable, liquidDataTable]);

interface WrittenKey {
  readonly address: Address;
  readonly key: string;
  readonly value: DataValue | undefined;
}

const nameOf = ({ address, key }: Pick<WrittenKey, "address" | "key">): BytesKey =>
  `${bytesKey(address)}${key}` as BytesKey;
const storedNameOf = ({ address, key }: WrittenKey): BytesKey => nameOf({ address, key: withoutHalves(key) });

/**
 * Entries whose stored spelling is not the last written one. To be written after the commit's own rows.
 * @param view the tip before the commit
 */
export function storedSpellings(overlay: OverlayView, view: TableView, store: StateStore): RowChange[] {
  const { changes, height } = overlay;
  if (changes.data.size === 0) return [];
  const spelled = new Map(
    view.liquidData.writtenAt(height, mostSpellings).map((row) => [nameOf(row), row as WrittenKey]),
  );
  for (const entry of changes.data.values()) if (hasSpellings(entry.key)) spelled.set(nameOf(entry), entry);
  if (spelled.size > mostSpellings) return [];
  const groups = [...Map.groupBy(spelled.values(), storedNameOf).values()].filter((group) => group.length > 1);
  if (groups.length === 0) return [];
  const order = new Map(storingOrder(overlay, view, store).map((name, place) => [name, place]));
  const placeOf = (entry: WrittenKey): number => order.get(nameOf(entry)) ?? 0;
  return groups.map((group) => {
    const { address, key, value } = group.reduce((last, entry) => (placeOf(entry) > placeOf(last) ? entry : last));
    const row = { address, key: withoutHalves(key) };
    return value == null ? removed(dataEntryTable, row) : written(dataEntryTable, { ...row, value });
  });
}

/** Names of all keys that the block has written, in storage order. */
function storingOrder({ changes, height, block }: OverlayView, view: TableView, store: StateStore): BytesKey[] {
  const entries = new Map<BytesKey, { readonly hash: number; readonly isCached: boolean }>();
  const add = (of: Pick<WrittenKey, "address" | "key">, findEarlier: () => LiquidDataRow | undefined): void => {
    const name = nameOf(of);
    if (entries.has(name)) return;
    const hash = pairHash(addressHash(of.address), textHash(of.key));
    const isCached =
      view.liquidData.wasRead(of.address, of.key, height) ||
      block.spellings?.firstReads.has(name) === true ||
      view.liquidData.isRecent(findEarlier(), height);
    entries.set(name, { hash, isCached });
  };
  for (const { table, key: keyRow, earlier } of store.overwrittenAt(height, dataTables)) {
    if (table === dataEntryTable) {
      const row = keyRow as DataEntryRow;
      if (!hasSpellings(row.key)) add(row, () => undefined);
    } else {
      const row = keyRow as LiquidDataRow;
      if (row.kind === "spelling") add(row, () => earlier as LiquidDataRow | undefined);
    }
  }
  for (const { address, key } of changes.data.values())
    add({ address, key }, () => view.liquidData.findSpelling(address, key));
  const isCached = ([, entry]: readonly [BytesKey, { readonly isCached: boolean }]): boolean => entry.isCached;
  const all = [...entries];
  const cachedFirst = [...all.filter(isCached), ...all.filter((entry) => !isCached(entry))];
  return inHashTableOrder(cachedFirst, ([, { hash }]) => hash).map(([name]) => name);
}

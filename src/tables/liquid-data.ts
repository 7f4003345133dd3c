/** What scripts see of the liquid block's data, where the tables of data do not say. */
import type { Address } from "../crypto/identities.ts";
import { utf16Bytes, utf16Text } from "../protocol/codec/utf16.ts";
import { dataValue } from "./data-value.ts";
import { bytes, encodedBytes, nullable, oneOf } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const liquidDataTable = table({
  name: "liquid_data",
  comment: `What scripts see of the tip's data where data_entry and data_owner do not say; no rows of blocks below the tip. account: a data
transaction without entries. spelling: a key with ?, or with a half of a surrogate pair, which is ? in data_entry: its entry, NULL for a
deleted one. others: of all such keys that are the same in data_entry, the entry of before the block, NULL for none.`,
  key: ["address", "kind", "key"],
  columns: {
    address: bytes<Address>(),
    kind: oneOf(["account", "spelling", "others"]),
    /** Of an account: empty. */
    key: encodedBytes(utf16Bytes, utf16Text, "UTF-16"),
    value: nullable(dataValue),
  },
  published: true,
  inCheckpoint: "all",
});
export type LiquidDataRow = RowOf<typeof liquidDataTable>;

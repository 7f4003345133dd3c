/**
 * Data that scripts see differently from the data tables: in the liquid block, and in long-running processes of the
 * reference.
 */
import type { Address } from "../crypto/identities.ts";
import { utf16Bytes, utf16Text } from "../protocol/codec/utf16.ts";
import { dataValue } from "./data-value.ts";
import { addedLater, bytes, encodedBytes, int, nullable, oneOf } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const liquidDataTable = table({
  name: "liquid_data",
  comment: `Data that scripts see differently from data_entry and data_owner. account: a data transaction without entries, which
counts while its block is the tip. spelling: a key with ?, or with an unpaired surrogate, which is ? in data_entry: its entry as
last written, NULL for none; read: as first read by a script. others: for all such keys that are equal in data_entry, the entry
before the last block that wrote one. height: of the block; rows of old blocks are removed.`,
  key: ["address", "kind", "key"],
  columns: {
    address: bytes<Address>(),
    kind: oneOf(["account", "spelling", "others", "read"]),
    /** Empty for `account`. */
    key: encodedBytes(utf16Bytes, utf16Text, "UTF-16"),
    value: nullable(dataValue),
    height: addedLater(int, 0),
  },
  published: true,
  inCheckpoint: "all",
  indexes: { liquid_data_by_height: { on: "height", only: "object" } },
});
export type LiquidDataRow = RowOf<typeof liquidDataTable>;

/** What scripts see of data where the tables of data do not say: in the liquid block, and in processes of the reference that run for long. */
import type { Address } from "../crypto/identities.ts";
import { utf16Bytes, utf16Text } from "../protocol/codec/utf16.ts";
import { dataValue } from "./data-value.ts";
import { addedLater, bytes, encodedBytes, int, nullable, oneOf } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const liquidDataTable = table({
  name: "liquid_data",
  comment: `What scripts see of data where data_entry and data_owner do not say. account: a data transaction without entries, which counts
while its block is the tip. spelling: a key with ?, or with a half of a surrogate pair, which is ? in data_entry: its entry, NULL for none, as
it was last written; read: as it was first read by a script. others: of all such keys that are the same in data_entry, the entry of before the block
that wrote one last. height: of the block; rows of old blocks go.`,
  key: ["address", "kind", "key"],
  columns: {
    address: bytes<Address>(),
    kind: oneOf(["account", "spelling", "others", "read"]),
    /** Of an account: empty. */
    key: encodedBytes(utf16Bytes, utf16Text, "UTF-16"),
    value: nullable(dataValue),
    height: addedLater(int, 0),
  },
  published: true,
  inCheckpoint: "all",
  indexes: { liquid_data_by_height: { on: "height", only: "object" } },
});
export type LiquidDataRow = RowOf<typeof liquidDataTable>;

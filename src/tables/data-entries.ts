/** Data entries of accounts, and the accounts that ever had one. */
import type { Address } from "../crypto/identities.ts";
import { dataValue } from "./data-value.ts";
import { bytes, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const dataEntryTable = table({
  name: "data_entry",
  comment: "Data entries of accounts; a deleted one has no row.",
  key: ["address", "key"],
  columns: { address: bytes<Address>(), key: text, value: dataValue },
  published: true,
  inCheckpoint: "all",
});
export type DataEntryRow = RowOf<typeof dataEntryTable>;

export const dataOwnerTable = table({
  name: "data_owner",
  comment: "Accounts that ever had a data entry, whether or not they still have one: for isDataStorageUntouched.",
  key: ["address"],
  columns: { address: bytes<Address>() },
  published: true,
  inCheckpoint: "all",
});

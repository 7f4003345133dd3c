/** Aliases of accounts. */
import type { Address } from "../crypto/identities.ts";
import { bytes, flag, publishedLater, text } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const aliasTable = table({
  name: "alias",
  comment: "Aliases. name: without the prefix of the network.",
  key: ["name"],
  columns: {
    name: text,
    address: bytes<Address>(),
    /** Whether the alias was taken more than once, while that was possible. */
    takenOver: publishedLater(flag, false),
  },
  published: true,
  inCheckpoint: "all",
});
export type AliasRow = RowOf<typeof aliasTable>;

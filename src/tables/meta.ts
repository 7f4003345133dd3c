/** Metadata of a database. */
import { text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

/** Present in both databases, each with its own rows. */
export const metaTable = table({
  name: "meta",
  comment: "Metadata of the database: schema, its version; release, the last one that wrote to it.",
  key: ["name"],
  columns: { name: text, value: text },
  published: false,
  inCheckpoint: "none",
});

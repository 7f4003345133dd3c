/** What a database says of itself. */
import { text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

/** In both databases, each with its own rows. */
export const metaTable = table({
  name: "meta",
  comment: "What the database says of itself: schema, its version; release, which wrote to it last.",
  key: ["name"],
  columns: { name: text, value: text },
  published: false,
  inCheckpoint: "none",
});

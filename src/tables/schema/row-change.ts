/** What a step does to one row. */
import type { Row, Table } from "./table.ts";

/** Its new content, or its removal. `isNew`: there was no such row before, so nobody needs to look. */
export type RowChange =
  | { readonly table: Table; readonly row: Row; readonly removed?: false; readonly isNew?: boolean }
  | { readonly table: Table; readonly row: Row; readonly removed: true; readonly isNew?: false };

import { type Column, sqlNameOf } from "./column.ts";
import { literalSql } from "./column-sql.ts";
import type { Row, Table } from "./table.ts";

/** SQL condition for a value of a column. @param as alias of the table in the statement */
export function whereIs<R extends Row, Field extends keyof R & string>(
  { name, columns }: Table<R>,
  field: Field,
  value: R[Field],
  as = name,
): string {
  const column = columns.get(field) as Column;
  return `${as}.${sqlNameOf(field, column)} = ${literalSql(value, column)}`;
}

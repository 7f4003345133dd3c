/** Table `tx` by id: of several transactions with the same id, the last one counts. */

/** Subquery for the location of a transaction, `height` and `position`. @param id expression */
export function latestLocation(id: string): string {
  return `(SELECT height, position FROM tx WHERE tx.id = ${id} ORDER BY height DESC, position DESC LIMIT 1)`;
}

/** Condition of a join with `tx`. @param id expression @param as alias of the table in the statement */
export function isLatestOf(id: string, as = "tx"): string {
  return `(${as}.height, ${as}.position) = ${latestLocation(id)}`;
}

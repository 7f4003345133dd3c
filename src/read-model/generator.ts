/** Tables `commitment`, `generator_balance` and `generator_conflict`: who has committed to a period, and what each counts for. */
import { stateAtFact } from "../network/remote-fact.ts";
import { commitmentTable, generatorConflictTable } from "../tables/commitments.ts";
import { i64, nullable } from "../tables/schema/column.ts";
import { columnsOf, computed } from "./columns.ts";
import { type Query, query, standingOn } from "./query.ts";

const member = columnsOf(commitmentTable, ["address", "transactionId"], "member");
const conflict = columnsOf(generatorConflictTable, ["height"], "conflict");
const balance = computed(
  "counted",
  nullable(i64),
  `(SELECT balance FROM generator_balance known WHERE known.period_start = member.period_start
      AND known.position = member.position AND known.height <= ?2 ORDER BY known.height DESC LIMIT 1)`,
);

/** A member of a committee. */
export type StoredGenerator = ReturnType<typeof member.read> & {
  /** Its generating balance before the block, wavelets; 0 where that is too little. It says nothing of one that has contradicted itself. */
  readonly balance: bigint;
  /** Of the block that shows that it has contradicted itself by then. */
  readonly conflictHeight: number | undefined;
};

/**
 * Who has committed to the period that begins there, in the order of their indexes, as it was with the block at a height.
 * Cost: two rows for each, however long the period is.
 */
export function generatorsQuery(periodStart: number, height: number): Query<readonly StoredGenerator[]> {
  return standingOn(
    // From a fork's beginning on generators are those who have committed on the fork.
    () => [stateAtFact(height)],
    query(
      `SELECT ${member.sql}, ${balance.sql}, ${conflict.sql} FROM commitment member
     LEFT JOIN generator_conflict conflict ON conflict.period_start = member.period_start
       AND conflict.position = member.position AND conflict.height <= ?2
     WHERE member.period_start = ?1 ORDER BY member.position`,
      [periodStart, height],
      (rows) =>
        rows.map((row) => ({
          ...member.read(row),
          balance: balance.read(row) ?? 0n,
          conflictHeight: conflict.find(row)?.height,
        })),
    ),
  );
}

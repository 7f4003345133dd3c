/** Tables `commitment`, `generator_balance` and `generator_conflict`: generators of a period, and their balances. */
import { heightStateKey } from "../network/remote-state-key.ts";
import { commitmentTable, generatorConflictTable } from "../tables/commitments.ts";
import { i64, nullable } from "../tables/schema/column.ts";
import { columnsOf, computed } from "./columns.ts";
import { type Query, query, withRemoteKeys } from "./query.ts";

const member = columnsOf(commitmentTable, ["address", "transactionId"], "member");
const conflict = columnsOf(generatorConflictTable, ["height"], "conflict");
const balance = computed(
  "counted",
  nullable(i64),
  `(SELECT balance FROM generator_balance known WHERE known.period_start = member.period_start
      AND known.position = member.position AND known.height <= ?2 ORDER BY known.height DESC LIMIT 1)`,
);

/** A member of a generator set. */
export type StoredGenerator = ReturnType<typeof member.read> & {
  /** Generating balance before the block, wavelets; 0 if it is too low. Meaningless for a generator with a conflict. */
  readonly balance: bigint;
  /** Height of the block that proves a conflicting endorsement, if it is not above the queried height. */
  readonly conflictHeight: number | undefined;
};

/**
 * Generators of a period in the order of their indexes, as of the block at a height. Cost: two rows for each, whatever
 * the length of the period.
 */
export function generatorsQuery(periodStart: number, height: number): Query<readonly StoredGenerator[]> {
  return withRemoteKeys(
    // From its first own block on, a fork has only generators that committed themselves on it.
    () => [heightStateKey(height)],
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

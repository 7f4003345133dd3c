/** Write access of the publisher to the read model. */
import type { StoredValue } from "../../../src/tables/schema/cell.ts";
import { withTimeout } from "./with-timeout.ts";

export interface SinkStatement {
  readonly sql: string;
  readonly bindings: readonly StoredValue[];
}

/** Rows of a statement, by column name. */
export type SinkRows = readonly Readonly<Record<string, unknown>>[];

export interface ReadModelSink {
  /** Runs all of the statements or none. @returns the rows of each @throws the database's error */
  batch(statements: readonly SinkStatement[]): Promise<readonly SinkRows[]>;
}

/** Part of a D1 database that is used. */
type D1 = Pick<D1Database, "prepare" | "batch">;

/** @param onBatch receives D1's results of each batch */
export function d1Sink(
  database: D1,
  timeLimitMs?: number,
  onBatch: (results: readonly D1Result[]) => void = () => {},
): ReadModelSink {
  return {
    async batch(statements) {
      const prepared = statements.map(({ sql, bindings }) => database.prepare(sql).bind(...bindings));
      const results = await withTimeout(
        database.batch<Record<string, unknown>>(prepared),
        "the read model",
        timeLimitMs,
      );
      onBatch(results);
      return results.map((result) => result.results);
    },
  };
}

/**
 * Point queries of several requests as one batch, with the row of `chain`. Queries that differ only in their keys
 * become one statement: most of the cost of a query in D1 is per statement.
 */
import { type ChainRow, chainQuery, withChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import { rowsReadBy } from "./database.ts";
import type { Query, Statement } from "./query.ts";

/** Result of one query. */
export interface FoundPoint {
  /** @throws StoredValueError if the row of this query, or of another one in its statement, does not fit the columns */
  readonly value: () => unknown;
  /** Cost of a shared statement, of the row of `chain` and of the batch counts for the first query. */
  readonly rowsRead: number;
  readonly batches: number;
}

type Results = readonly D1Result<ResultRow>[];

export interface PointBatch {
  readonly statements: readonly Statement[];
  readonly chainRow: (results: Results) => ChainRow | undefined;
  /** Results in the order of the queries. */
  readonly found: (results: Results) => readonly FoundPoint[];
}

/** @param queries at least one; all are point queries */
export function pointBatch(queries: readonly Query<unknown>[]): PointBatch {
  const [first, ...others] = queries;
  return first !== undefined && others.length === 0 ? batchOfOne(first) : batchOfMany(queries);
}

function batchOfOne(query: Query<unknown>): PointBatch {
  const { row, value, ...statement } = withChain(query);
  return {
    statements: [statement],
    chainRow: ([result]) => row(rowsOf(result)),
    found: ([result]) => [{ value: () => value(rowsOf(result)), rowsRead: rowsReadBy(result), batches: 1 }],
  };
}

/** Queries that share one statement. */
interface Group {
  readonly query: Query<unknown>;
  readonly indexes: readonly number[];
  /** Whether its result is a list of values, in their order. */
  readonly isList: boolean;
}

function batchOfMany(queries: readonly Query<unknown>[]): PointBatch {
  const groups = groupsOf(queries);
  return {
    statements: [chainQuery, ...groups.map(({ query }) => query)],
    chainRow: ([result]) => chainQuery.decode(rowsOf(result)),
    found: ([chainResult, ...results]) => {
      const found: FoundPoint[] = [];
      groups.forEach(({ query, indexes, isList }, number) => {
        const result = results[number];
        const read = once(() => query.decode(rowsOf(result)));
        indexes.forEach((index, offset) => {
          const value = isList ? () => (read() as readonly unknown[])[offset] : read;
          found[index] = { value, rowsRead: offset === 0 ? rowsReadBy(result) : 0, batches: 0 };
        });
      });
      const [first, ...others] = found as [FoundPoint, ...FoundPoint[]];
      return [{ ...first, rowsRead: first.rowsRead + rowsReadBy(chainResult), batches: 1 }, ...others];
    },
  };
}

function groupsOf(queries: readonly Query<unknown>[]): readonly Group[] {
  const byKind = Map.groupBy(queries.keys(), (index) => queries[index]?.inList?.of ?? index);
  return [...byKind.values()].map((indexes) => {
    const [first] = indexes.map((index) => queries[index]) as [Query<unknown>];
    if (first.inList === undefined || indexes.length === 1) return { query: first, indexes, isList: false };
    const keys = indexes.map((index) => queries[index]?.inList?.key);
    return { query: first.inList.of(keys as never[]), indexes, isList: true };
  });
}

function rowsOf(result: D1Result<ResultRow> | undefined): readonly ResultRow[] {
  return result?.results ?? [];
}

function once<Value>(make: () => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

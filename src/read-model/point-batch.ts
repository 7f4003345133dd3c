/**
 * Point queries of several requests as one batch with the row of the chain. Those that differ in their keys alone are one
 * statement: of what D1 takes for a question most is for the statement.
 */
import { type ChainRow, chainQuery, withChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import { rowsReadBy } from "./database.ts";
import type { Query, Statement } from "./query.ts";

/** What was found for one question. */
export interface FoundPoint {
  /** @throws StoredValueError where this question's row, or that of another one of its kind, holds what the columns cannot */
  readonly value: () => unknown;
  /** Of statements for several questions, the row of the chain and the batch itself all is counted for the first question. */
  readonly rowsRead: number;
  readonly batches: number;
}

type Results = readonly D1Result<ResultRow>[];

export interface PointBatch {
  readonly statements: readonly Statement[];
  readonly chainRow: (results: Results) => ChainRow | undefined;
  /** For each question, in their order. */
  readonly found: (results: Results) => readonly FoundPoint[];
}

/** @param questions at least one, each of them a point query */
export function pointBatch(questions: readonly Query<unknown>[]): PointBatch {
  const [first, ...others] = questions;
  return first !== undefined && others.length === 0 ? batchOfOne(first) : batchOfMany(questions);
}

function batchOfOne(question: Query<unknown>): PointBatch {
  const { row, value, ...statement } = withChain(question);
  return {
    statements: [statement],
    chainRow: ([result]) => row(rowsOf(result)),
    found: ([result]) => [{ value: () => value(rowsOf(result)), rowsRead: rowsReadBy(result), batches: 1 }],
  };
}

/** Questions that one statement answers. */
interface Group {
  readonly query: Query<unknown>;
  readonly indexes: readonly number[];
  /** Whether its answer is a list of values, in their order. */
  readonly isList: boolean;
}

function batchOfMany(questions: readonly Query<unknown>[]): PointBatch {
  const groups = groupsOf(questions);
  return {
    statements: [chainQuery, ...groups.map(({ query }) => query)],
    chainRow: ([result]) => chainQuery.decode(rowsOf(result)),
    found: ([ofChain, ...results]) => {
      const found: FoundPoint[] = [];
      groups.forEach(({ query, indexes, isList }, number) => {
        const result = results[number];
        const read = once(() => query.decode(rowsOf(result)));
        indexes.forEach((index, place) => {
          const value = isList ? () => (read() as readonly unknown[])[place] : read;
          found[index] = { value, rowsRead: place === 0 ? rowsReadBy(result) : 0, batches: 0 };
        });
      });
      const [first, ...others] = found as [FoundPoint, ...FoundPoint[]];
      return [{ ...first, rowsRead: first.rowsRead + rowsReadBy(ofChain), batches: 1 }, ...others];
    },
  };
}

function groupsOf(questions: readonly Query<unknown>[]): readonly Group[] {
  const byKind = Map.groupBy(questions.keys(), (index) => questions[index]?.inList?.of ?? index);
  return [...byKind.values()].map((indexes) => {
    const [first] = indexes.map((index) => questions[index]) as [Query<unknown>];
    if (first.inList === undefined || indexes.length === 1) return { query: first, indexes, isList: false };
    const keys = indexes.map((index) => questions[index]?.inList?.key);
    return { query: first.inList.of(keys as never[]), indexes, isList: true };
  });
}

function rowsOf(result: D1Result<ResultRow> | undefined): readonly ResultRow[] {
  return result?.results ?? [];
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A query of the read model: one statement, and the decoder of its rows. `ReadModel.read` runs it. */
import type { RemoteStateKey } from "../network/remote-state-key.ts";
import type { ResultRow } from "./columns.ts";

/** A blob, text, or an integer that a double can hold; 64-bit integers are bound as text and cast. */
export type Binding = Uint8Array | string | number | null;

export interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

export interface Query<Value> extends Statement {
  readonly decode: (rows: readonly ResultRow[]) => Value;
  /**
   * Whether the statement returns at most one row: it may then share a statement or a batch with the row of `chain`.
   */
  readonly isPoint?: boolean;
  /** For a point query: the same query for many keys in one statement. */
  readonly inList?: InList<Value>;
  /** Remote state that a fork must have fetched for the result to mean anything. PERF: only forks call it. */
  readonly remoteKeys?: () => readonly RemoteStateKey[];
}

/** Attaches the remote state keys on which the result depends on a fork. */
export function withRemoteKeys<Value>(remoteKeys: () => readonly RemoteStateKey[], base: Query<Value>): Query<Value> {
  return { ...base, remoteKeys };
}

interface InList<Value> {
  /** Query for the values of keys, in their order. Queries with the same function are of the same kind. */
  readonly of: (keys: never[]) => Query<readonly Value[]>;
  readonly key: unknown;
}

/** Declares a query. @param decode decoder of the selected rows */
export function query<Value>(sql: string, bindings: readonly Binding[], decode: Query<Value>["decode"]): Query<Value> {
  return { sql, bindings, decode };
}

/** Declares a query that finds at most one row. @param decode decoder; its argument is undefined if there is no row */
export function point<Value>(
  sql: string,
  bindings: readonly Binding[],
  decode: (row: ResultRow | undefined) => Value,
): Query<Value> {
  return { sql, bindings, decode: ([row]) => decode(row), isPoint: true };
}

/** Marks the point query of a key as one of a kind. @param of query for many keys */
export function oneOf<Key, Value>(
  of: (keys: readonly Key[]) => Query<readonly Value[]>,
  key: NoInfer<Key>,
  base: Query<NoInfer<Value>>,
): Query<Value> {
  return { ...base, inList: { of, key } };
}

/** Results of a list of queries, in their order. */
export type QueryResults<Queries extends readonly Query<unknown>[]> = {
  readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Value> ? Value : never;
};

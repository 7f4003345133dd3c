/** A question to the read model: one statement and what its rows mean. Asking is `ReadModel.read`. */
import type { RemoteFact } from "../network/remote-fact.ts";
import type { ResultRow } from "./columns.ts";

/** A blob, text, or an integer that a double holds; 64-bit integers are bound as text and cast. */
export type Binding = Uint8Array | string | number | null;

export interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

export interface Query<Value> extends Statement {
  readonly decode: (rows: readonly ResultRow[]) => Value;
  /** The statement gives one row, or none: it may be asked together with the row of the chain. */
  readonly isPoint?: boolean;
  /** Of a point query: how many of its kind are asked in one statement. */
  readonly inList?: InList<Value>;
  /** What a fork must know of the network behind it before the answer says anything. PERF: only forks ask. */
  readonly stands?: () => readonly RemoteFact[];
}

/** The query, the answer to which says something on a fork only where these facts are known. */
export function standingOn<Value>(facts: () => readonly RemoteFact[], asked: Query<Value>): Query<Value> {
  return { ...asked, stands: facts };
}

interface InList<Value> {
  /** The values of keys, in their order. Two questions are of one kind where this is the same. */
  readonly of: (keys: never[]) => Query<readonly Value[]>;
  readonly key: unknown;
}

/** Declares a query. @param decode reads what the statement selects */
export function query<Value>(sql: string, bindings: readonly Binding[], decode: Query<Value>["decode"]): Query<Value> {
  return { sql, bindings, decode };
}

/** Declares a query that finds one row, or none. @param decode what the row is; undefined: there is none */
export function point<Value>(
  sql: string,
  bindings: readonly Binding[],
  decode: (row: ResultRow | undefined) => Value,
): Query<Value> {
  return { sql, bindings, decode: ([row]) => decode(row), isPoint: true };
}

/** The point query of a key, as one of a kind. @param of asks for many keys */
export function oneOf<Key, Value>(
  of: (keys: readonly Key[]) => Query<readonly Value[]>,
  key: NoInfer<Key>,
  asked: Query<NoInfer<Value>>,
): Query<Value> {
  return { ...asked, inList: { of, key } };
}

/** The answers to a list of queries, in their order. */
export type Answers<Queries extends readonly Query<unknown>[]> = {
  readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Value> ? Value : never;
};

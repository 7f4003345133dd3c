/** A question to the read model: one statement and what its rows mean. Asking is `ReadModel.read`. */
import type { ResultRow } from "./columns.ts";

/** A blob, text, or an integer that a double holds; 64-bit integers are bound as text and cast. */
export type Binding = Uint8Array | string | number | null;

export interface Query<Value> {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  readonly decode: (rows: readonly ResultRow[]) => Value;
}

/** Declares a query. @param decode reads what the statement selects */
export function query<Value>(sql: string, bindings: readonly Binding[], decode: Query<Value>["decode"]): Query<Value> {
  return { sql, bindings, decode };
}

/** The answers to a list of queries, in their order. */
export type Answers<Queries extends readonly Query<unknown>[]> = {
  readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Value> ? Value : never;
};

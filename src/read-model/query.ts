/** A question to the read model: one statement and what its rows mean. Asking is `ReadModel.read`. */

/** A blob, text, or an integer that a double holds; 64-bit integers are bound as text and cast. */
export type Binding = Uint8Array | string | number | null;

export interface Query<Value> {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  readonly decode: (rows: readonly unknown[]) => Value;
}

/** Declares a query; `Row` is what the statement selects. */
export function query<Row, Value>(
  sql: string,
  bindings: readonly Binding[],
  decode: (rows: readonly Row[]) => Value,
): Query<Value> {
  // The statement says what its rows are; D1 has no types to check it by.
  return { sql, bindings, decode: decode as (rows: readonly unknown[]) => Value };
}

/** The answers to a list of queries, in their order. */
export type Answers<Queries extends readonly Query<unknown>[]> = {
  readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Value> ? Value : never;
};

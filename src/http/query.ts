/** Query parameters of a route: which names, how often, of what kind. */
import { type Kind, type Mismatch, mismatch } from "./kind.ts";

/** How a parameter is taken from all the values that the query gives it. */
export interface QueryField<Value> {
  readonly read: (values: readonly string[], chainId: number) => Value | Mismatch;
}

/** The value, undefined when the parameter is absent; the first one counts. */
export function optional<Value>(kind: Kind<Value>): QueryField<Value | undefined> {
  return { read: ([first], chainId) => (first === undefined ? undefined : kind(first, chainId)) };
}

/** Every value, in the order given. */
export function repeated<Value>(kind: Kind<Value>): QueryField<readonly Value[]> {
  return {
    read: (values, chainId) => {
      const found: Value[] = [];
      for (const text of values) {
        const value = kind(text, chainId);
        if (value === mismatch) return mismatch;
        found.push(value);
      }
      return found;
    },
  };
}

/** Query parameters of a route: which names, how often, of what kind. */
import { type Kind, type Mismatch, mismatch } from "./kind.ts";

/** What the document says of a parameter. */
export interface QueryParameter {
  readonly kind: Kind<unknown>;
  /** What it is for, a sentence. */
  readonly about: string;
  readonly isRepeated: boolean;
  /** Without it the route does not take the request. */
  readonly isRequired?: boolean;
}

/** How a parameter is taken from all the values that the query gives it. */
export interface QueryField<Value> extends QueryParameter {
  readonly read: (values: readonly string[], chainId: number) => Value | Mismatch;
}

/** The value, undefined when the parameter is absent; the first one counts. */
export function optional<Value>(kind: Kind<Value>, about: string): QueryField<Value | undefined> {
  return {
    kind,
    about,
    isRepeated: false,
    read: ([first], chainId) => {
      const isAbsent = first === undefined || (first === "" && kind.isNothingWhenEmpty === true);
      return isAbsent ? undefined : kind.read(first, chainId);
    },
  };
}

/** As `optional`, of a parameter that must be there. */
export function required<Value>(kind: Kind<Value>, about: string): QueryField<Value> {
  return {
    kind,
    about,
    isRepeated: false,
    isRequired: true,
    read: ([first], chainId) => (first === undefined ? mismatch : kind.read(first, chainId)),
  };
}

/** Every value, in the order given. */
export function repeated<Value>(kind: Kind<Value>, about: string): QueryField<readonly Value[]> {
  return {
    kind,
    about,
    isRepeated: true,
    read: (values, chainId) => {
      const found: Value[] = [];
      for (const text of values) {
        const value = kind.read(text, chainId);
        if (value === mismatch) return mismatch;
        found.push(value);
      }
      return found;
    },
  };
}

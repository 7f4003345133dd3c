/** Query parameters of a route: names, repetition and kinds. */
import { type Kind, type Mismatch, mismatch } from "./kind.ts";

/** A parameter as in the document. */
export interface QueryParameter {
  readonly kind: Kind<unknown>;
  /** Description, a sentence. */
  readonly about: string;
  readonly isRepeated: boolean;
  /** Whether the route requires it to take the request. */
  readonly isRequired?: boolean;
}

/** A parameter with the parser of all its values. */
export interface QueryField<Value> extends QueryParameter {
  readonly read: (values: readonly string[], chainId: number) => Value | Mismatch;
}

/** The first value; undefined if the parameter is absent. */
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

/** The first value of a parameter that the route requires. */
export function required<Value>(kind: Kind<Value>, about: string): QueryField<Value> {
  return {
    kind,
    about,
    isRepeated: false,
    isRequired: true,
    read: ([first], chainId) => (first === undefined ? mismatch : kind.read(first, chainId)),
  };
}

/** Every value, in the given order. */
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

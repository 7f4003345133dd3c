/**
 * Kinds of values in paths and queries: parsers of a text. A kind may return `mismatch` (the route does not take the
 * request, and the search goes on with the next route) or throw an `ApiError` for the value.
 */
import type { JsonObject } from "../protocol/json.ts";
import type { ErrorCode } from "./api-error.ts";

export const mismatch: unique symbol = Symbol("mismatch");
export type Mismatch = typeof mismatch;

export interface Kind<Value> {
  /** `chainId` selects the network of addresses. @throws ApiError one of `errors` */
  readonly read: (text: string, chainId: number) => Value | Mismatch;
  /** JSON Schema of the values. */
  readonly schema: JsonObject;
  readonly errors: readonly ErrorCode[];
  /** Whether an empty text in a query counts as a missing parameter. */
  readonly isNothingWhenEmpty?: true;
}

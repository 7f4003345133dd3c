/**
 * Kinds of values in paths and queries: text in, value out. A kind may say that its route does not take the request
 * after all (`mismatch`: the search goes on with the next route), or refuse the value by name (`ApiError`).
 */
import type { JsonObject } from "../protocol/json.ts";
import type { ErrorCode } from "./api-fault.ts";

export const mismatch: unique symbol = Symbol("mismatch");
export type Mismatch = typeof mismatch;

export interface Kind<Value> {
  /** `chainId` tells which addresses belong to the network. @throws ApiError one of `errors` */
  readonly read: (text: string, chainId: number) => Value | Mismatch;
  /** What the values look like, as JSON Schema. */
  readonly schema: JsonObject;
  readonly errors: readonly ErrorCode[];
  /** In a query an empty text is no value: the parameter counts as absent. */
  readonly isNothingWhenEmpty?: true;
}

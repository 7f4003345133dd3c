import type { Payment } from "../node/shapes.ts";
import type { CallArgument } from "./call-arguments.ts";

/** Call with parsed arguments and payments. */
export interface ReadCall {
  readonly call: { readonly function: string; readonly args: readonly CallArgument[] };
  readonly payment: readonly Payment[];
}

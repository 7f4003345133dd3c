/** Guard for generators of mistakes, whose transactions may not even be serializable. */
import { FormatError } from "../../src/protocol/transactions/format-error.ts";

/** Undefined for a transaction that cannot be serialized. */
export function wellFormed<Written>(make: () => Written): Written | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof FormatError || error instanceof RangeError) return undefined;
    throw error;
  }
}

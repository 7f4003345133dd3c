/** What a maker of mistakes came up with may not even be writable. */
import { FormatError } from "../../src/protocol/transactions/format-error.ts";

/** Undefined for a transaction that cannot even be written down. */
export function wellFormed<Written>(make: () => Written): Written | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof FormatError || error instanceof RangeError) return undefined;
    throw error;
  }
}

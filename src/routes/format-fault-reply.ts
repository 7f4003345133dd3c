/** Routes whose requests hold transactions. */
import { formatErrorReply } from "../http/errors.ts";
import type { Reply } from "../http/reply.ts";
import { FormatError } from "../protocol/transactions/format-faults.ts";

/** The answer, or what is said of a transaction that could be valid in no state. */
export async function orFormatFault<Answer>(answer: () => Answer | Promise<Answer>): Promise<Answer | Reply> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof FormatError) return formatErrorReply(error.fault);
    throw error;
  }
}

/** Error handling of routes whose requests contain transactions. */
import { formatErrorReply } from "../../http/errors.ts";
import type { Reply } from "../../http/route-response.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";

/** Returns the result, or the error response for a transaction that no state could make valid. */
export async function orFormatFault<Answer>(run: () => Answer | Promise<Answer>): Promise<Answer | Reply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FormatError) return formatErrorReply(error.fault);
    throw error;
  }
}

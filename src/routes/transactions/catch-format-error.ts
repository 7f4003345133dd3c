/** Error handling of routes whose requests contain transactions. */
import { formatErrorResponse } from "../../http/errors.ts";
import type { RouteResponse } from "../../http/route-response.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";

/** Returns the result, or the error response for a transaction that no state could make valid. */
export async function catchFormatError<Answer>(run: () => Answer | Promise<Answer>): Promise<Answer | RouteResponse> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FormatError) return formatErrorResponse(error.violation);
    throw error;
  }
}

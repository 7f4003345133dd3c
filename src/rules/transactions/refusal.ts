import { RuleError } from "../../protocol/errors.ts";
import { WorkRefused } from "../../ride/work-refused.ts";

/** Whether the error refuses the transaction itself. */
export function isRefusal(error: unknown): error is RuleError | WorkRefused {
  return error instanceof RuleError || error instanceof WorkRefused;
}

import { RuleError } from "../../protocol/faults.ts";
import { WorkRefused } from "../../ride/work-refused.ts";

/** What is thrown for the transaction's own sake. */
export function isRefusal(error: unknown): error is RuleError | WorkRefused {
  return error instanceof RuleError || error instanceof WorkRefused;
}

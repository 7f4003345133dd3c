import type { Expression } from "../script/expression.ts";
import { WorkRefused } from "../work-refused.ts";
import type { StepAllowance } from "./stepwise.ts";

/**
 * Limit on nested getters. The reference's second and third estimators recurse for each getter; their default stack
 * holds 1,000 to 3,000.
 */
const maxNestedGetters = 300;

/**
 * @param allowance undefined for blocks of peers, which are never refused here
 * @throws WorkRefused the getters nest so deep that the estimate would end the thread of a reference node
 */
export function refuseNestedGetters(expression: Expression, allowance: StepAllowance | undefined): void {
  if (allowance === undefined) return;
  let levels = 0;
  for (let inner = expression; inner.kind === "getter"; inner = inner.object) {
    levels++;
    if (levels > maxNestedGetters) throw new WorkRefused(`more than ${maxNestedGetters} getters nest in each other`);
  }
}

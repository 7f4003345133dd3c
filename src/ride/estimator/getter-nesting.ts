import type { Expression } from "../script/expression.ts";
import { WorkRefused } from "../work-refused.ts";
import type { StepAllowance } from "./stepwise.ts";

/** The reference's second and third estimator recurse for each getter; its default stack takes 1,000 to 3,000 of them. */
const maxNestedGetters = 300;

/**
 * @param allowance undefined: in blocks of others, where nothing is refused
 * @throws WorkRefused getters of getters nest so deep that the estimate ends the thread of a reference node
 */
export function refuseNestedGetters(expression: Expression, allowance: StepAllowance | undefined): void {
  if (allowance === undefined) return;
  let levels = 0;
  for (let inner = expression; inner.kind === "getter"; inner = inner.object) {
    levels++;
    if (levels > maxNestedGetters) throw new WorkRefused(`more than ${maxNestedGetters} getters nest in each other`);
  }
}

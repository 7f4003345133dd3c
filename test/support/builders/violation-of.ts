import type { BlockViolation } from "../../../src/protocol/blocks/block-violation.ts";
import type { VotingViolation } from "../../../src/protocol/blocks/voting-violation.ts";
import { RuleError } from "../../../src/protocol/errors.ts";

/** Violation that the action throws. */
export function violationOf(run: () => unknown): BlockViolation | { readonly code: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
}

/** Violation of a voting that the action throws. */
export function votingViolationOf(run: () => unknown): VotingViolation | undefined {
  const violation = violationOf(run);
  if (violation === undefined) return undefined;
  if (violation.code !== "votingInvalid") throw new Error(`not for its voting, but ${violation.code}`);
  return (violation as Extract<BlockViolation, { code: "votingInvalid" }>).violation;
}

import type { BlockFault } from "../../../src/protocol/blocks/block-violation.ts";
import type { VotingFault } from "../../../src/protocol/blocks/voting-violation.ts";
import { RuleError } from "../../../src/protocol/errors.ts";

/** Violation that the action throws. */
export function faultOf(run: () => unknown): BlockFault | { readonly code: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.fault;
    throw error;
  }
}

/** Violation of a voting that the action throws. */
export function votingFaultOf(run: () => unknown): VotingFault | undefined {
  const violation = faultOf(run);
  if (violation === undefined) return undefined;
  if (violation.code !== "votingInvalid") throw new Error(`not for its voting, but ${violation.code}`);
  return (violation as Extract<BlockFault, { code: "votingInvalid" }>).fault;
}

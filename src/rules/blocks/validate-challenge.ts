/**
 * Validation of a challenge: the state hash must be the only error of the challenged block.
 * @source docs/protocol/snapshots-and-state-hash.md 5.4; Waves: state/diffs/BlockDiffer.scala (fromBlock)
 */
import { describeViolation } from "../../protocol/describe-violation.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { StateView } from "../state/state-view.ts";
import { applyBlock, type ParentInfo, type TransactionHandling } from "./apply-block.ts";
import type { BlockValidation } from "./block-validation.ts";
import { errorsOfVariants } from "./execution-variants.ts";
import type { VerifiedBlock } from "./verify-block.ts";

/**
 * Applies the challenged block instead of the challenging one. Writes nothing.
 * @param view state before the challenging block
 * @throws RuleError challengeInvalid: the challenged block is valid, or invalid for another reason
 */
export function validateChallenge(
  view: StateView,
  { block, hitSource }: VerifiedBlock,
  parent: ParentInfo,
  handling: TransactionHandling,
  judging: BlockValidation,
): void {
  const errors = errorsOfVariants(judging.variants, (way) => {
    applyBlock(view, block, hitSource, parent, { ...handling, ...way, include: judging.includerOf(way, handling) });
  });
  if (errors.some((error) => error?.violation.code === "stateHashWrong")) return;
  const [error] = errors;
  throw error === undefined
    ? new RuleError({ code: "challengeInvalid", reason: "the state hash of the challenged block is right" })
    : new RuleError({ code: "challengeInvalid", reason: describeViolation(error.violation) }, { cause: error });
}

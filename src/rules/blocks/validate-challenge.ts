/**
 * Validation of a challenge: the state hash must be the only error of the challenged block.
 * @source docs/protocol/snapshots-and-state-hash.md 5.4; Waves: state/diffs/BlockDiffer.scala (fromBlock)
 */
import { describeFault } from "../../protocol/describe-violation.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { StateView } from "../state/state-view.ts";
import { applyBlock, type ParentFacts, type TransactionHandling } from "./apply-block.ts";
import type { BlockJudging } from "./block-validation.ts";
import { faultsInAnyWay } from "./execution-variants.ts";
import type { VerifiedBlock } from "./verify-block.ts";

/**
 * Applies the challenged block instead of the challenging one. Writes nothing.
 * @param view state before the challenging block
 * @throws RuleError challengeInvalid: the challenged block is valid, or invalid for another reason
 */
export function judgeChallenge(
  view: StateView,
  { block, hitSource }: VerifiedBlock,
  parent: ParentFacts,
  handling: TransactionHandling,
  judging: BlockJudging,
): void {
  const errors = faultsInAnyWay(judging.ways, (way) => {
    applyBlock(view, block, hitSource, parent, { ...handling, ...way, place: judging.placing(way, handling) });
  });
  if (errors.some((error) => error?.fault.code === "stateHashWrong")) return;
  const [error] = errors;
  throw error === undefined
    ? new RuleError({ code: "challengeInvalid", reason: "the state hash of the challenged block is right" })
    : new RuleError({ code: "challengeInvalid", reason: describeFault(error.fault) }, { cause: error });
}

/**
 * Whether a block was challenged for good reason: nothing but its state hash may be wrong with it.
 * @source docs/protocol/snapshots-and-state-hash.md 5.4; Waves: state/diffs/BlockDiffer.scala (fromBlock)
 */
import { describeFault } from "../../protocol/fault-text.ts";
import { RuleError } from "../../protocol/faults.ts";
import type { StateView } from "../state/state-view.ts";
import { applyBlock, type ParentFacts, type TransactionHandling } from "./apply-block.ts";
import type { BlockJudging } from "./block-judging.ts";
import { faultsInAnyWay } from "./judging-ways.ts";
import type { VerifiedBlock } from "./verify-block.ts";

/**
 * Applies the challenged block in place of the one that challenges it. Nothing is written.
 * @param view as the challenging block finds it
 * @throws RuleError challengeInvalid: it may be appended, or is refused for something else
 */
export function judgeChallenge(
  view: StateView,
  { block, hitSource }: VerifiedBlock,
  parent: ParentFacts,
  handling: TransactionHandling,
  judging: BlockJudging,
): void {
  const faults = faultsInAnyWay(judging.ways, (way) => {
    applyBlock(view, block, hitSource, parent, { ...handling, ...way, place: judging.placing(way, handling) });
  });
  if (faults.some((error) => error?.fault.code === "stateHashWrong")) return;
  const [error] = faults;
  throw error === undefined
    ? new RuleError({ code: "challengeInvalid", reason: "the state hash of the challenged block is right" })
    : new RuleError({ code: "challengeInvalid", reason: describeFault(error.fault) }, { cause: error });
}

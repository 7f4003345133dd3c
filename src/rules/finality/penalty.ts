/**
 * Penalty for conflicting endorsements: the deposit is burnt at the start of the next block.
 * @source docs/protocol/consensus-and-finality.md 3.10; Waves 1.6: state/diffs/BlockDiffer.scala
 */
import type { Address } from "../../crypto/identities.ts";
import type { StateView } from "../state/state-view.ts";
import { generationPeriodAt } from "./generation-period.ts";

/**
 * Accounts whose deposits the block after the view's tip burns: the tip carries their conflicts. In the voting's order.
 */
export function punishedAfter(view: StateView): readonly Address[] {
  const conflicts = view.findHeader(view.height)?.header.finalizationVoting?.conflictEndorsements ?? [];
  if (conflicts.length === 0) return [];
  const period = generationPeriodAt(view.height, view);
  if (period === undefined) return [];
  const committed = view.commitments(period.start);
  return conflicts.map(({ endorserIndex }) => {
    const commitment = committed[endorserIndex];
    if (commitment === undefined) throw new Error(`no commitment has index ${endorserIndex}`);
    return commitment.address;
  });
}

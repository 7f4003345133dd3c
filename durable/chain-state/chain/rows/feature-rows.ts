/** Feature votes and approvals of a key block, as rows. @source docs/protocol/consensus-and-finality.md 1.1 */
import type { BlockHeader } from "../../../../src/protocol/blocks/block.ts";
import {
  activationHeightAfterApproval,
  approvedFeatures,
  endsVotingWindow,
  sumOfVotes,
  votingWindow,
} from "../../../../src/rules/consensus/feature-voting.ts";
import { featureTable, featureVoteTable } from "../../../../src/tables/features.ts";
import { added, type RowChange, written } from "../../../../src/tables/schema/row-change.ts";
import type { TableView } from "../../../../src/tables/view/table-view.ts";
import type { StateStore } from "../../state/state-store.ts";

/** Rows of the features that are active from the start. */
export function preActivatedFeatureRows(view: TableView): RowChange[] {
  return [...view.settings.functionality.preActivatedFeatures].map(([id, activationHeight]) =>
    added(featureTable, { id, activationHeight }),
  );
}

/** Votes per feature. A block of version 5 may name a feature more than once: the reference counts each occurrence. */
function countedVotes(featureVotes: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const feature of featureVotes) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

/**
 * Rows changed by the votes of the block at the height: the tally of its window and, at the window's end, approvals.
 */
export function featureRows(
  { featureVotes }: Pick<BlockHeader, "featureVotes">,
  height: number,
  view: TableView,
  store: StateStore,
): RowChange[] {
  const { functionality } = view.settings;
  const endsWindow = endsVotingWindow(height, functionality);
  if (featureVotes.length === 0 && !endsWindow) return [];
  const { from: windowStart, to: windowEnd } = votingWindow(height, functionality);
  const changes = [...countedVotes(featureVotes)].map(([feature, count]) => {
    const votes = (store.find(featureVoteTable, { feature, windowStart })?.votes ?? 0) + count;
    return written(featureVoteTable, { feature, windowStart, votes });
  });
  if (!endsWindow) return changes;
  // A doubled window may contain a shorter one, whose votes are stored separately.
  const earlier = store.query(featureVoteTable, "WHERE window_start BETWEEN ?1 AND ?2", windowStart, windowEnd);
  const earlierVotes = sumOfVotes(earlier);
  const approved = approvedFeatures({
    height,
    earlierVotes,
    blockVotes: featureVotes,
    approvals: view.activations(),
    functionality,
  });
  for (const id of approved)
    changes.push(added(featureTable, { id, activationHeight: activationHeightAfterApproval(height, functionality) }));
  return changes;
}

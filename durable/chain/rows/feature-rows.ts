/** Feature votes and approvals of a key block, as rows. @source spec/consensus-and-finality.md 1.1 */
import type { BlockHeader } from "../../../src/protocol/blocks/block.ts";
import {
  activationHeightAfterApproval,
  approvedFeatures,
  endsVotingWindow,
  votingWindow,
} from "../../../src/rules/consensus/feature-voting.ts";
import { featureTable, featureVoteTable } from "../../../src/tables/features.ts";
import { added, type RowChange, written } from "../../../src/tables/schema/row-change.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";
import type { StateStore } from "../../state/state-store.ts";

/** Rows of the features that are active from the start. */
export function preActivatedFeatureRows(view: TableView): RowChange[] {
  return [...view.settings.functionality.preActivatedFeatures].map(([id, activationHeight]) =>
    added(featureTable, { id, activationHeight }),
  );
}

/** What the votes of the block at the height change: the tally of its window and, at the window's end, approvals. */
export function featureRows(
  { featureVotes }: Pick<BlockHeader, "featureVotes">,
  height: number,
  view: TableView,
  store: StateStore,
): RowChange[] {
  const { functionality } = view.settings;
  const endsWindow = endsVotingWindow(height, functionality);
  if (featureVotes.length === 0 && !endsWindow) return [];
  const windowStart = votingWindow(height, functionality).from;
  const changes = featureVotes.map((feature) => {
    const votes = (store.find(featureVoteTable, { feature, windowStart })?.votes ?? 0) + 1;
    return written(featureVoteTable, { feature, windowStart, votes });
  });
  if (!endsWindow) return changes;
  const earlier = store.query(featureVoteTable, "WHERE window_start = ?", windowStart);
  const earlierVotes = new Map(earlier.map(({ feature, votes }) => [feature, votes]));
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

/** Tables `feature` and `feature_vote`: approved or active features, and the votes of each window. */
import type { FunctionalitySettings } from "../network/settings.ts";
import { featureTable, featureVoteTable } from "../tables/features.ts";
import { columnsOf } from "./columns.ts";
import { type Query, query } from "./query.ts";

/** Activation height of each approved or preactivated feature, including future ones. */
export type ActivationHeights = ReadonlyMap<number, number>;

/** Adds the features preactivated by the settings: a database older than a setting does not have it. */
export function withPreActivated(
  heights: ActivationHeights,
  { preActivatedFeatures }: Pick<FunctionalitySettings, "preActivatedFeatures">,
): ActivationHeights {
  return new Map([...preActivatedFeatures, ...heights]);
}

const activation = columnsOf(featureTable, ["id", "activationHeight"]);

export const activationHeightsQuery: Query<ActivationHeights> = query(
  `SELECT ${activation.sql} FROM feature`,
  [],
  (rows) => new Map(rows.map(activation.read).map(({ id, activationHeight }) => [id, activationHeight])),
);

const votes = columnsOf(featureVoteTable, ["feature", "windowStart", "votes"]);

/** Votes for a feature in a window. */
export type FeatureVotes = ReturnType<typeof votes.read>;

/**
 * Votes of the last two windows with votes, for each feature that ever got a vote. The current window follows from the
 * height, which the caller reads along; where windows double, the latest one may be shorter. Cost: three rows for each
 * such feature, not for each window.
 */
export const newestFeatureVotesQuery: Query<readonly FeatureVotes[]> = query(
  `WITH RECURSIVE voted (id) AS (
     SELECT min(feature) FROM feature_vote
     UNION ALL SELECT (SELECT min(feature) FROM feature_vote WHERE feature > voted.id) FROM voted WHERE id IS NOT NULL
   )
   SELECT ${votes.sql} FROM voted JOIN feature_vote ON feature_vote.feature = voted.id
   WHERE window_start IN (
     SELECT window_start FROM feature_vote AS newest WHERE newest.feature = voted.id ORDER BY window_start DESC LIMIT 2
   )`,
  [],
  (rows) => rows.map(votes.read),
);

/** Tables `feature` and `feature_vote`: which features are approved or active, and the votes of each window. */
import type { FunctionalitySettings } from "../network/settings.ts";
import { featureTable, featureVoteTable } from "../tables/features.ts";
import { columnsOf } from "./columns.ts";
import { type Query, query } from "./query.ts";

/** Height from which each approved or preactivated feature is in force, also when it is still to come. */
export type ActivationHeights = ReadonlyMap<number, number>;

/** With what the settings put in force: a database of before a setting was there does not have it. */
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
 * Of each feature that was ever voted for the votes of the last two windows that have any: which window runs is known by the height,
 * which is read with them, and where windows double it may hold a shorter one. Cost: three rows for each such feature, not for each
 * window.
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

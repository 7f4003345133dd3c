/** Tables `feature` and `feature_vote`: which features are approved or active, and the votes of each window. */
import { featureTable, featureVoteTable } from "../tables/features.ts";
import { columnsOf } from "./columns.ts";
import { type Query, query } from "./query.ts";

/** Height from which each approved or preactivated feature is in force, also when it is still to come. */
export type ActivationHeights = ReadonlyMap<number, number>;

const activation = columnsOf(featureTable, ["id", "activationHeight"]);

export const activationHeightsQuery: Query<ActivationHeights> = query(
  `SELECT ${activation.sql} FROM feature`,
  [],
  (rows) => new Map(rows.map(activation.read).map(({ id, activationHeight }) => [id, activationHeight])),
);

const votes = columnsOf(featureVoteTable, ["feature", "votes"]);

/**
 * Votes of a window of blocks, by feature. Cost: a row for each feature that was ever voted for, not for each window.
 * @param windowStart its first height
 */
export function featureVotesQuery(windowStart: number): Query<ReadonlyMap<number, number>> {
  return query(
    `WITH RECURSIVE voted (id) AS (
       SELECT min(feature) FROM feature_vote
       UNION ALL SELECT (SELECT min(feature) FROM feature_vote WHERE feature > voted.id) FROM voted WHERE id IS NOT NULL
     )
     SELECT ${votes.sql} FROM voted JOIN feature_vote ON feature_vote.feature = voted.id WHERE window_start = ?1`,
    [windowStart],
    (rows) => new Map(rows.map(votes.read).map((row) => [row.feature, row.votes])),
  );
}

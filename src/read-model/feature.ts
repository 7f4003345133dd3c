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
 * Votes of a window of blocks, by feature.
 * @param windowStart its first height
 */
export function featureVotesQuery(windowStart: number): Query<ReadonlyMap<number, number>> {
  return query(
    `SELECT ${votes.sql} FROM feature_vote WHERE window_start = ?1`,
    [windowStart],
    (rows) => new Map(rows.map(votes.read).map((row) => [row.feature, row.votes])),
  );
}

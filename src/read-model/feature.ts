/** Tables `feature` and `feature_vote`: which features are approved or active, and the votes of each window. */
import { type Query, query } from "./query.ts";

/** Height from which each approved or preactivated feature is in force, also when it is still to come. */
export type ActivationHeights = ReadonlyMap<number, number>;

export const activationHeightsQuery: Query<ActivationHeights> = query<
  { readonly id: number; readonly activation_height: number },
  ActivationHeights
>(
  "SELECT id, activation_height FROM feature",
  [],
  (rows) => new Map(rows.map((row) => [row.id, row.activation_height])),
);

/**
 * Votes of a window of blocks, by feature.
 * @param windowStart its first height
 */
export function featureVotesQuery(windowStart: number): Query<ReadonlyMap<number, number>> {
  return query<{ readonly feature: number; readonly votes: number }, ReadonlyMap<number, number>>(
    "SELECT feature, votes FROM feature_vote WHERE window_start = ?1",
    [windowStart],
    (rows) => new Map(rows.map((row) => [row.feature, row.votes])),
  );
}

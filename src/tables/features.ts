/** Feature voting: approved or preactivated features, and the votes of each voting window. */
import { int } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const featureTable = table({
  name: "feature",
  comment: "Features approved or preactivated.",
  key: ["id"],
  columns: { id: int, activationHeight: int },
  published: true,
  inCheckpoint: "all",
});

export const featureVoteTable = table({
  name: "feature_vote",
  comment: "Votes of each voting window.",
  key: ["feature", "windowStart"],
  columns: { feature: int, windowStart: int, votes: int },
  published: true,
  inCheckpoint: "all",
});

/** Feature voting: approved or preactivated features, and the votes of each voting window. */
import { table } from "./schema/table.ts";

export type FeatureRow = { id: number; activationHeight: number };
export const featureTable = table<FeatureRow>({
  name: "feature",
  key: ["id"],
  columns: { id: "int", activationHeight: "int" },
  published: true,
});

export type FeatureVoteRow = { feature: number; windowStart: number; votes: number };
export const featureVoteTable = table<FeatureVoteRow>({
  name: "feature_vote",
  key: ["feature", "windowStart"],
  columns: { feature: "int", windowStart: "int", votes: "int" },
  published: true,
});

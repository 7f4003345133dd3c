/** State that a fork has fetched from its source node. Other chains do not have these tables. */
import { int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const forkFactTable = table({
  name: "fork_fact",
  comment: "Remote state whose rows are in the other tables: names by factName.",
  key: ["name"],
  columns: { name: text },
  published: false,
  inCheckpoint: "none",
});

export const forkAnswerTable = table({
  name: "fork_answer",
  comment: "Responses of the source node, by request. Reverts keep them: nothing is requested twice.",
  key: ["question"],
  columns: { question: text, status: int, answer: text },
  published: false,
  inCheckpoint: "none",
});

/** All of them. */
export const forkTables = [forkFactTable, forkAnswerTable] as const;

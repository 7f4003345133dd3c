/** What a fork keeps of the node behind it. Other chains do not have these tables. */
import { int, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const forkFactTable = table({
  name: "fork_fact",
  comment: "Facts whose rows are in the other tables: by factName.",
  key: ["name"],
  columns: { name: text },
  published: false,
  inCheckpoint: "none",
});

export const forkAnswerTable = table({
  name: "fork_answer",
  comment:
    "What the node behind the fork has answered, by what was asked. It outlives reverts: nothing is asked twice.",
  key: ["question"],
  columns: { question: text, status: int, answer: text },
  published: false,
  inCheckpoint: "none",
});

/** All of them. */
export const forkTables = [forkFactTable, forkAnswerTable] as const;

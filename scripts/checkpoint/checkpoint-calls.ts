/** Asks a node about checkpoints: through the runner's own way to it, or over its REST interface. */
import * as z from "zod";
import type { CheckpointCall, CheckpointReply } from "../../src/env.ts";
import { UsageError } from "../cli/usage-error.ts";

/** @throws UsageError the node refuses: its message is the node's sentence */
export type CheckpointCalls = (call: CheckpointCall) => Promise<CheckpointReply>;

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("refused"), reason: z.string() }),
  z.looseObject({ kind: z.literal("done") }),
]);

/** @param answer as the node gives it @throws UsageError */
export function checkpointReply(answer: unknown): CheckpointReply {
  const parsed = answerSchema.parse(answer);
  if (parsed.kind === "refused") throw new UsageError(`The node refuses: ${parsed.reason}.`);
  // The node is of this release: its replies are typed where they are made.
  return parsed as CheckpointReply;
}

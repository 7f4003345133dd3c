/** Checkpoint requests to a node: over the runner's own connection, or over its REST interface. */
import * as z from "zod";
import type { CheckpointCall, CheckpointReply } from "../../src/env.ts";
import { UsageError } from "../cli/usage-error.ts";

/** @throws UsageError the node refuses; the message is the node's */
export type CheckpointCalls = (call: CheckpointCall) => Promise<CheckpointReply>;

const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("refused"), reason: z.string() }),
  z.looseObject({ kind: z.literal("done") }),
]);

/** @param result the node's response @throws UsageError */
export function checkpointReply(result: unknown): CheckpointReply {
  const parsed = answerSchema.parse(result);
  if (parsed.kind === "refused") throw new UsageError(`The node refuses: ${parsed.reason}.`);
  // The node is of this release: the type of its results is checked where they are made.
  return parsed as CheckpointReply;
}

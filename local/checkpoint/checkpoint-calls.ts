/** Checkpoint requests to a node: over the runner's own connection, or over its REST interface. */
import * as z from "zod";
import type { CheckpointCall, CheckpointResult } from "../../src/env.ts";
import { UsageError } from "../cli/usage-error.ts";

/** @throws UsageError the node refuses; the message is the node's */
export type CheckpointCalls = (call: CheckpointCall) => Promise<CheckpointResult>;

const resultSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("refused"), reason: z.string() }),
  z.looseObject({ kind: z.literal("done") }),
]);

/** @param result the node's response @throws UsageError */
export function parseCheckpointResult(result: unknown): CheckpointResult {
  const parsed = resultSchema.parse(result);
  if (parsed.kind === "refused") throw new UsageError(`The node refuses: ${parsed.reason}.`);
  // The node is of this release: the type of its results is checked where they are made.
  return parsed as CheckpointResult;
}

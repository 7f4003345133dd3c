/** Checkpoints over the interface: an owner fetches one part by part, or loads one into a node without a chain. */
import type * as z from "zod";
import type { CheckpointCall, CheckpointResult } from "../../env.ts";
import { ApiError } from "../../http/api-error.ts";
import { checkedMembers } from "../../http/request-body.ts";
import { json, momentary } from "../../http/route-response.ts";
import { route } from "../../services/context.ts";
import { unwrapDevResult } from "../dev/dev-result.ts";
import { checkpointCall, checkpointResult } from "../schemas/checkpoint.ts";

type CheckpointRequest = z.output<ReturnType<typeof checkpointCall>>;

/** @throws ApiError a required member of the call is missing */
function callOf({ call, past, place, manifest, number, packed, isLast }: CheckpointRequest): CheckpointCall {
  switch (call) {
    case "exportPart": {
      const { table, after } = required("place", place);
      return { call, place: { table: Number(table), ...(after !== undefined && { after }) } };
    }
    case "begin":
      return { call, manifest: required("manifest", manifest), isLast: required("isLast", isLast) };
    case "add":
      return {
        ...{ call, number: Number(required("number", number)) },
        ...{ packed: required("packed", packed), isLast: required("isLast", isLast) },
      };
    case "beginExport":
      return { call, ...(past !== undefined && { past }) };
    case "endExport":
    case "standing":
    case "goOn":
    case "giveUp":
      return { call };
  }
}

function required<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new ApiError({ code: "requestInvalid", message: `the call takes ${name}` });
  return value;
}

const checkpoint = route({
  method: "POST",
  path: "/debug/checkpoint",
  dependsOn: "node",
  isPrivate: true,
  // One call hashes a large state.
  timeLimitMs: 15 * 60_000,
  body: checkedMembers(checkpointCall),
  description: {
    tag: "debug",
    summary: "Write or load a checkpoint",
    notes:
      "Part by part, as `npm run checkpoint` requests them. While one is written the chain stops; one can only be loaded into a node without a chain.",
    response: checkpointResult,
    errors: ["requestInvalid"],
    examples: [{ body: { call: "standing" } }],
  },
  handle: async ({ body, chainState }) => {
    const result: CheckpointResult & { kind?: "done" } = unwrapDevResult(
      await chainState.checkpoint.call(callOf(body)),
    );
    const { kind: _, ...reply } = result;
    return json(reply, momentary);
  },
});

export const checkpointRoutes = [checkpoint];

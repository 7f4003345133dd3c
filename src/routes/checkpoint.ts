/** Checkpoints over the interface: an owner fetches one part by part, and hands one over to a node that has no chain yet. */
import type * as z from "zod";
import type { CheckpointCall, CheckpointReply } from "../env.ts";
import { ApiError } from "../http/api-fault.ts";
import { json, momentary } from "../http/reply.ts";
import { checkedMembers } from "../http/request-body.ts";
import { route } from "./context.ts";
import { done } from "./dev-answer.ts";
import { checkpointCall, checkpointReply } from "./schemas/checkpoint.ts";

type Asked = z.output<ReturnType<typeof checkpointCall>>;

/** @throws ApiError a member is missing that the call takes */
function callOf({ call, past, place, manifest, number, packed, isLast }: Asked): CheckpointCall {
  switch (call) {
    case "exportPart": {
      const { table, after } = needed("place", place);
      return { call, place: { table: Number(table), ...(after !== undefined && { after }) } };
    }
    case "begin":
      return { call, manifest: needed("manifest", manifest), isLast: needed("isLast", isLast) };
    case "add":
      return {
        ...{ call, number: Number(needed("number", number)) },
        ...{ packed: needed("packed", packed), isLast: needed("isLast", isLast) },
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

function needed<Value>(name: string, value: Value | undefined): Value {
  if (value === undefined) throw new ApiError({ code: "requestInvalid", message: `the call takes ${name}` });
  return value;
}

const checkpoint = route({
  method: "POST",
  path: "/debug/checkpoint",
  dependsOn: "node",
  isPrivate: true,
  // The sums over a large state come in one call.
  timeLimitMs: 15 * 60_000,
  body: checkedMembers(checkpointCall),
  description: {
    tag: "debug",
    summary: "Write a checkpoint, or begin with one",
    notes:
      "Part by part, as `npm run checkpoint` asks for them: while one is written the chain stands still, and while one is read in there is none yet.",
    answer: checkpointReply,
    errors: ["requestInvalid"],
    examples: [{ body: { call: "standing" } }],
  },
  handle: async ({ body, chainState }) => {
    const answer: CheckpointReply & { kind?: "done" } = done(await chainState.checkpoint.call(callOf(body)));
    const { kind: _, ...reply } = answer;
    return json(reply, momentary);
  },
});

export const checkpointRoutes = [checkpoint];

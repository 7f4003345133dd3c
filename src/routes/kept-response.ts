/** Answers without any work: what was answered before, if it still holds. */
import { holds } from "../http/edge-cache.ts";
import { responseOf } from "../http/respond.ts";
import { clientHeaders, newestFor, type RequestedNode } from "./requested-node.ts";

/** @param key of the question, as `questionOf` gives it @returns undefined: the answer is to be made */
export async function keptResponse(node: RequestedNode, key: string): Promise<Response | undefined> {
  const { services, request } = node;
  const kept = services.answers.find(key);
  if (kept === undefined) return undefined;
  const state = await newestFor(node);
  if (state === undefined || !holds(kept, state.chain)) return undefined;
  const ifNoneMatch = request.method === "GET" ? request.headers.get("If-None-Match") : null;
  return responseOf(kept.written, ifNoneMatch, clientHeaders(node, state));
}

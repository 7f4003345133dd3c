/** Answers without any work: what was answered before, if it still holds. */
import { holds, type KeptAnswer } from "../http/edge-cache.ts";
import { responseOf } from "../http/respond.ts";
import type { SeenState } from "../read-model/latest-state.ts";
import { clientHeaders, newestFor, type RequestedNode } from "./requested-node.ts";

/** @param key of the question, as `questionOf` gives it @returns undefined: the answer is to be made */
export async function keptResponse(node: RequestedNode, key: string): Promise<Response | undefined> {
  const { services, request, work } = node;
  work.kept = "miss";
  const kept = services.answers.find(key);
  if (kept === undefined) return undefined;
  // What holds whatever the state is needs nobody to look.
  const state = holds(kept, undefined) ? services.latest.known() : await newestFor(node);
  if (!holds(kept, state?.chain)) return undefined;
  work.kept = "hit";
  work.route = kept.route;
  const ifNoneMatch = request.method === "GET" ? request.headers.get("If-None-Match") : null;
  return responseOf(kept.written, ifNoneMatch, headersOf(kept, node, state));
}

function headersOf(kept: KeptAnswer, node: RequestedNode, state: SeenState | undefined): Headers {
  const isPlain = !node.request.headers.has("Origin");
  const { plainHeaders } = kept;
  if (isPlain && plainHeaders !== undefined && plainHeaders.state === state) return plainHeaders.headers;
  const shown = { chain: state?.chain, bookmark: state?.bookmark };
  const headers = new Headers({ ...kept.written.headers, ...clientHeaders(node, shown) });
  if (isPlain) kept.plainHeaders = { state, headers };
  return headers;
}

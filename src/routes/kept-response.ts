/** Answers without any work: what was answered before, if it still holds. */
import { holds, keyOf } from "../http/edge-cache.ts";
import { responseOf } from "../http/respond.ts";
import { bookmarkHeader, parseBookmark } from "../read-model/bookmark.ts";
import { clientHeaders, type RequestedNode, readModelOf } from "./requested-node.ts";

/** undefined: the answer is to be made. */
export async function keptResponse(node: RequestedNode): Promise<Response | undefined> {
  const { services, execution, request, work } = node;
  if (request.method !== "GET" || request.body !== null) return undefined;
  const { headers } = request;
  work.kept = "miss";
  const kept = services.answers.find(keyOf(request.url, headers.get("Accept")));
  if (kept === undefined) return undefined;
  const { latest } = services;
  const untilDone = (work: Promise<unknown>) => execution.waitUntil(work);
  const state = latest.known() ?? (await latest.current(() => readModelOf(node).read(), untilDone));
  if (state === undefined || !holds(kept, state.chain)) return undefined;
  const bookmark = parseBookmark(headers.get(bookmarkHeader));
  // The client may have seen what this isolate has not.
  if (bookmark !== undefined && bookmark > (state.bookmark ?? "")) return undefined;
  work.kept = "hit";
  work.route = kept.route;
  return responseOf(kept.written, headers.get("If-None-Match"), clientHeaders(node, state));
}

/** Answers without any work: what was answered before, if it still holds. */
import { holds, type KeptAnswer, keyOf } from "../http/edge-cache.ts";
import { responseOf } from "../http/respond.ts";
import { bookmarkHeader, parseBookmark } from "../read-model/bookmark.ts";
import type { SeenState } from "../read-model/latest-state.ts";
import { clientHeaders, type RequestedNode, readModelOf } from "./requested-node.ts";

/** undefined: the answer is to be made. */
export async function keptResponse(node: RequestedNode): Promise<Response | undefined> {
  const { services, execution, request } = node;
  if (request.method !== "GET" || request.body !== null) return undefined;
  const { headers } = request;
  const kept = services.answers.find(keyOf(request.url, headers.get("Accept")));
  if (kept === undefined) return undefined;
  const { latest } = services;
  const untilDone = (work: Promise<unknown>) => execution.waitUntil(work);
  const state = latest.known() ?? (await latest.current(() => readModelOf(node).read(), untilDone));
  if (state === undefined || !holds(kept, state.chain)) return undefined;
  const bookmark = parseBookmark(headers.get(bookmarkHeader));
  // The client may have seen what this isolate has not.
  if (bookmark !== undefined && bookmark > (state.bookmark ?? "")) return undefined;
  return responseOf(kept.written, headers.get("If-None-Match"), headersOf(kept, node, state));
}

function headersOf(kept: KeptAnswer, node: RequestedNode, state: SeenState): Headers {
  const isPlain = !node.request.headers.has("Origin");
  if (isPlain && kept.plainHeaders?.state === state) return kept.plainHeaders.headers;
  const headers = new Headers({ ...kept.written.headers, ...clientHeaders(node, state) });
  if (isPlain) kept.plainHeaders = { state, headers };
  return headers;
}

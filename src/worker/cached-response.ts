/** Responses from the response cache. */

import { responseOf } from "../http/respond.ts";
import { type CachedResponse, isFresh } from "../http/response-cache.ts";
import type { SeenState } from "../read-model/latest-state.ts";
import { clientHeaders, newestFor, type RequestedNode } from "./requested-node.ts";

/** @param key key of the request, from `questionOf` @returns undefined: the response must be built */
export async function cachedResponse(node: RequestedNode, key: string): Promise<Response | undefined> {
  const { services, request, work } = node;
  work.cacheResult = "miss";
  const cached = services.responseCache.find(key);
  if (cached === undefined) return undefined;
  // A response that is valid in any state needs no read.
  const state = isFresh(cached, undefined) ? services.latest.known() : await newestFor(node);
  if (!isFresh(cached, state?.chain)) return undefined;
  work.cacheResult = "hit";
  work.route = cached.route;
  const ifNoneMatch = request.method === "GET" ? request.headers.get("If-None-Match") : null;
  return responseOf(cached.written, ifNoneMatch, headersOf(cached, node, state));
}

function headersOf(cached: CachedResponse, node: RequestedNode, state: SeenState | undefined): Headers {
  const isPlain = !node.request.headers.has("Origin");
  const { plainHeaders } = cached;
  if (isPlain && plainHeaders !== undefined && plainHeaders.state === state) return plainHeaders.headers;
  const seen = { chain: state?.chain, bookmark: state?.bookmark };
  const headers = new Headers({ ...cached.written.headers, ...clientHeaders(node, seen) });
  if (isPlain) cached.plainHeaders = { state, headers };
  return headers;
}

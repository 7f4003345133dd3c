/** Requests whose responses may be cached: read-only ones, by URL or also by body. */
import { keyOf } from "../http/response-cache.ts";
import type { AnyRouteInfo } from "../http/route.ts";
import { RouteRequest } from "../http/route-request.ts";
import { allRoutes } from "../routes/all-routes.ts";

/** Maximum length of a body in a key: larger ones are hardly ever repeated. */
const MAX_BODY_CHARACTERS = 4_096;

export interface CacheableRequest {
  /** Equal for equal requests; undefined: the response is not cached. */
  readonly key: string | undefined;
  /** The request, if its body has been read. */
  readonly routed?: RouteRequest | undefined;
}

/** Builds the key. Reads the body if it is part of the key. */
export async function cacheableRequestOf(request: Request): Promise<CacheableRequest> {
  const { method, url, headers } = request;
  const accept = headers.get("Accept");
  if (method === "GET") return { key: request.body === null ? keyOf(url, accept) : undefined };
  const routed = method === "POST" ? RouteRequest.of(request) : undefined;
  if (routed === undefined) return { key: undefined };
  if (!readOnlyPostPaths.some((start) => routed.path.startsWith(start))) return { key: undefined, routed };
  const text = await routed.text();
  if (typeof text !== "string" || text.length > MAX_BODY_CHARACTERS) return { key: undefined, routed };
  return { key: keyOf(url, accept, `${routed.mediaType}\n${text}`), routed };
}

/** Whether responses of the route may be cached for equal requests. */
export function isCacheableRoute({ method, isPrivate, isReadOnly }: AnyRouteInfo, requestMethod: string): boolean {
  return isPrivate !== true && (requestMethod === "GET" || (method === "POST" && isReadOnly === true));
}

/** Prefixes of the paths with read-only POST routes. */
const readOnlyPostPaths = allRoutes
  .filter(({ info }) => info.isReadOnly === true)
  .map(({ info: { path } }) => path.split(":", 1)[0] as string);

/**
 * Dispatch of requests to routes, which are tried in the order of their tables. A route may pass a request on to the
 * next; a request that no route takes gets the 404 text.
 */
import { IttyRouter } from "itty-router";
import type { AnyRouteInfo, Route } from "./route.ts";
import type { RouteRequest } from "./route-request.ts";
import { notFound, type RouteResponse } from "./route-response.ts";

/** @param onRow called for each route that is tried; the last one has returned the response, or thrown */
export type Router<Context> = (
  request: RouteRequest,
  context: Context,
  onRow?: (row: AnyRouteInfo | undefined) => void,
) => Promise<RouteResponse>;

/** A route with the pattern of its path. */
interface Entry<Context> {
  readonly method: string;
  readonly pattern: RegExp;
  readonly route: Route<Context>;
}

/** PERF: a table for each first segment of the path, so that a request is matched against only a few patterns. */
export function createRouter<Context>(routes: readonly Route<Context>[]): Router<Context> {
  const tables = new Map<string, readonly Entry<Context>[]>();
  for (const [segment, group] of Map.groupBy(routes, ({ info }) => firstSegment(info.path)))
    tables.set(segment, group.flatMap(entriesOf));
  return async (request, context, onRow = () => {}) => {
    for (const { method, pattern, route } of tables.get(firstSegment(request.path)) ?? []) {
      const match = method === request.method || method === "ALL" ? pattern.exec(request.path) : null;
      if (match === null) continue;
      request.params = match.groups ?? {};
      onRow(route.info);
      const reply = await route.respond(request, context);
      if (reply !== undefined) return reply;
    }
    onRow(undefined);
    return notFound;
  };
}

function entriesOf<Context>(route: Route<Context>): readonly Entry<Context>[] {
  const { method, path, refusesGet } = route.info;
  const methods = refusesGet === true ? [method, "GET"] : [method];
  return methods.map((each) => ({ method: each, pattern: patternOf(path), route }));
}

/** PERF: takes only the library's pattern; its own dispatch would parse the URL once more. */
function patternOf(path: string): RegExp {
  const table = IttyRouter();
  table.all(path, () => {});
  const [[, pattern] = []] = table.routes;
  if (pattern === undefined) throw new Error(`no pattern for ${path}`);
  return pattern;
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

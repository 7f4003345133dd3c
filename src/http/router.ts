/**
 * Finds the route of a request. Routes are tried in the order of their tables; one that does not take the request after
 * all leaves it to the next, and what nobody takes is answered with the 404 text.
 */
import { IttyRouter, type IttyRouterType, type RequestLike } from "itty-router";
import { notFound, type Reply } from "./reply.ts";
import type { Method, Route } from "./route.ts";
import type { RouteRequest } from "./route-request.ts";

export type Router<Context> = (request: RouteRequest, context: Context) => Promise<Reply>;

/** PERF: a table for each first segment of the path, so that a request is matched against a few patterns only. */
export function createRouter<Context>(routes: readonly Route<Context>[]): Router<Context> {
  const tables = new Map<string, IttyRouterType<RouteRequest, [Context], Reply | undefined>>();
  for (const [segment, group] of Map.groupBy(routes, ({ facts }) => firstSegment(facts.path))) {
    const table = IttyRouter() as unknown as IttyRouterType<RouteRequest, [Context], Reply | undefined>;
    for (const { facts, respond } of group) {
      register[facts.method](table, facts.path, respond);
      if (facts.refusesGet) register.GET(table, facts.path, respond);
    }
    tables.set(segment, table);
  }
  return async (request, context) => {
    // The library asks of a request only its method and URL, and leaves the params on it.
    const reply = await tables.get(firstSegment(request.path))?.fetch(request as unknown as RequestLike, context);
    return reply ?? notFound;
  };
}

type Table<Context> = IttyRouterType<RouteRequest, [Context], Reply | undefined>;
const register = {
  GET: <Context>(table: Table<Context>, path: string, respond: Route<Context>["respond"]) => table.get(path, respond),
  POST: <Context>(table: Table<Context>, path: string, respond: Route<Context>["respond"]) => table.post(path, respond),
  DELETE: <Context>(table: Table<Context>, path: string, respond: Route<Context>["respond"]) =>
    table.delete(path, respond),
  ALL: <Context>(table: Table<Context>, path: string, respond: Route<Context>["respond"]) => table.all(path, respond),
} as const satisfies Record<Method, unknown>;

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

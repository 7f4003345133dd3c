/**
 * Finds the route of a request. Routes are tried in the order of their tables; one that does not take the request after
 * all leaves it to the next, and what nobody takes is answered with the 404 text.
 */
import { IttyRouter, type IttyRouterType, type RequestLike } from "itty-router";
import { notFound, type Reply } from "./reply.ts";
import type { Method, Route, SettledFacts } from "./route.ts";
import type { RouteRequest } from "./route-request.ts";

/** @param onRow is told each row that is asked; the last of them has given the reply, or thrown */
export type Router<Context> = (
  request: RouteRequest,
  context: Context,
  onRow?: (row: SettledFacts | undefined) => void,
) => Promise<Reply>;

type OnRow = (row: SettledFacts) => void;
type Respond<Context> = (request: RouteRequest, context: Context, onRow: OnRow) => Promise<Reply | undefined>;
type Table<Context> = IttyRouterType<RouteRequest, [Context, OnRow], Reply | undefined>;

/** PERF: a table for each first segment of the path, so that a request is matched against a few patterns only. */
export function createRouter<Context>(routes: readonly Route<Context>[]): Router<Context> {
  const tables = new Map<string, Table<Context>>();
  for (const [segment, group] of Map.groupBy(routes, ({ facts }) => firstSegment(facts.path))) {
    const table = IttyRouter() as unknown as Table<Context>;
    for (const { facts, respond } of group) {
      const told: Respond<Context> = (request, context, onRow) => {
        onRow(facts);
        return respond(request, context);
      };
      register[facts.method](table, facts.path, told);
      if (facts.refusesGet) register.GET(table, facts.path, told);
    }
    tables.set(segment, table);
  }
  return async (request, context, onRow = () => {}) => {
    const table = tables.get(firstSegment(request.path));
    // The library asks of a request only its method and URL, and leaves the params on it.
    const reply = await table?.fetch(request as unknown as RequestLike, context, onRow);
    if (reply === undefined) onRow(undefined);
    return reply ?? notFound;
  };
}

const register = {
  GET: <Context>(table: Table<Context>, path: string, respond: Respond<Context>) => table.get(path, respond),
  POST: <Context>(table: Table<Context>, path: string, respond: Respond<Context>) => table.post(path, respond),
  DELETE: <Context>(table: Table<Context>, path: string, respond: Respond<Context>) => table.delete(path, respond),
  ALL: <Context>(table: Table<Context>, path: string, respond: Respond<Context>) => table.all(path, respond),
} as const satisfies Record<Method, unknown>;

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path.slice(1) : path.slice(1, end);
}

/**
 * Route definitions: method, path, kinds of values, body parser, description, and handler. A definition says everything
 * about an endpoint: the router and the document (`open-api/`) are built from it.
 */
import { acceptedForm } from "./accept.ts";
import { ApiError } from "./api-error.ts";
import type { ApiKeyGuard } from "./api-key.ts";
import type { Description, Unlisted } from "./description.ts";
import { type Kind, type Mismatch, mismatch } from "./kind.ts";
import { percentDecoded } from "./percent-text.ts";
import type { QueryField } from "./query.ts";
import type { BodyReader } from "./request-body.ts";
import type { SearchParams } from "./request-url.ts";
import type { RouteRequest } from "./route-request.ts";
import { methodNotAllowed, type RouteResponse } from "./route-response.ts";
import { defaultTimeLimitMs, withTimeLimit } from "./time-limit.ts";

/** ALL: any method, even an unknown one. */
export type Method = "GET" | "POST" | "DELETE" | "ALL";

/** Context that the router itself needs. */
export interface RoutingContext {
  readonly chainId: number;
  readonly hasApiKey: ApiKeyGuard;
}

/** Input of a handler: the values of the request, and the services of the node. */
export type RouteInput<Context, Params, Query, Body> = Context & {
  readonly params: Readonly<Params>;
  readonly query: Readonly<Query>;
  readonly body: Body;
  readonly request: RouteRequest;
};

/** Dependence of a response, besides the request and the node's settings. */
export type Dependence =
  /** The request only. */
  | "request"
  /** The state of the chain: any block and micro-block may change it. */
  | "tip"
  /** The number of blocks, and of final ones; not their content, which a fork or a rollback changes. */
  | "height"
  /** The state of the chain; a response with final data may say so. */
  | "final"
  /** The pool. */
  | "pool"
  /** This node and its activity. */
  | "node"
  | "clock"
  | "chance";

/** The data of a route definition. */
export interface RouteInfo<Params = unknown, Query = unknown, Body = unknown> {
  readonly method: Method;
  /** Path. The kind of that name parses a segment of the form `:name`; `*` at the end matches any rest. */
  readonly path: string;
  /** Decides which responses are cached, and for how long: see `edge-cache.ts`. */
  readonly dependsOn: Dependence;
  /** For POST: whether it is read-only, so that responses to the same body are valid as long as those to a GET. */
  readonly isReadOnly?: boolean;
  /** Whether it requires the API key. */
  readonly isPrivate?: boolean;
  /** For POST: whether a GET of the path gets the 405 text; if the route is private, only with the API key. */
  readonly refusesGet?: boolean;
  /** Time limit of the response, from reading the body on; see `time-limit.ts`. */
  readonly timeLimitMs?: number;
  /** Whether the path may end with a slash. */
  readonly trailingSlash?: boolean;
  /** Whether the response ignores the Accept header. */
  readonly anyAccept?: boolean;
  readonly params?: { readonly [Name in keyof Params]: Kind<Params[Name]> };
  readonly query?: { readonly [Name in keyof Query]: QueryField<Query[Name]> };
  readonly body?: BodyReader<Body>;
  readonly description: Description<NoInfer<Params>> | Unlisted;
}

export interface RouteDefinition<Context, Params, Query, Body> extends RouteInfo<Params, Query, Body> {
  /** A mismatch passes the request on to the next route. */
  readonly handle: (
    input: RouteInput<Context, Params, Query, Body>,
  ) => RouteResponse | Mismatch | Promise<RouteResponse | Mismatch>;
}

/** A route with erased types, for the router and the document. */
export interface Route<Context> {
  readonly info: AnyRouteInfo;
  /** Returns undefined if the route does not take the request. @throws ApiError */
  readonly respond: (request: RouteRequest, context: Context) => Promise<RouteResponse | undefined>;
}

export type AnyRouteInfo = RouteInfo<Record<string, unknown>, Record<string, unknown>, unknown>;

/** Returns a function that makes routes for one kind of context. */
export function routesFor<Context extends RoutingContext>() {
  return function route<Params = Record<never, never>, Query = Record<never, never>, Body = undefined>(
    definition: RouteDefinition<Context, Params, Query, Body>,
  ): Route<Context> {
    return {
      // Only the kinds of values matter from here on, not their names.
      info: definition as unknown as AnyRouteInfo,
      respond: async (request, context) => {
        if (!hasAllowedEnd(request.path, definition)) return undefined;
        // A missing key is reported first, whatever the path holds.
        if (definition.isPrivate && !context.hasApiKey(request.headers)) throw new ApiError({ code: "apiKeyNotValid" });
        const params = readParams(definition.params ?? {}, request.params, context.chainId);
        if (params === mismatch) return undefined;
        if (definition.refusesGet && request.method === "GET") return methodNotAllowed;
        const query = readQuery(definition.query ?? {}, request.searchParams, context.chainId);
        if (query === mismatch) return undefined;
        const run = async (): Promise<RouteResponse | Mismatch> => {
          const body = definition.body === undefined ? undefined : await definition.body.read(request);
          if (body === mismatch) return mismatch;
          return definition.handle({ ...context, params, query, body, request } as RouteInput<
            Context,
            Params,
            Query,
            Body
          >);
        };
        const reply = await withTimeLimit(run(), definition.timeLimitMs ?? defaultTimeLimitMs);
        return reply === mismatch || isNotAcceptable(reply, definition, request) ? undefined : reply;
      },
    };
  };
}

/**
 * Whether the slashes at the end of the path are allowed: the router matches any number, the interface allows none, or
 * one if the route says so.
 */
function hasAllowedEnd(path: string, route: { readonly path: string; readonly trailingSlash?: boolean }): boolean {
  if (route.path.endsWith("*") || !path.endsWith("/")) return true;
  return route.trailingSlash === true && !path.endsWith("//");
}

/** Responses that the Accept header may rule out: errors are always sent. */
const refusable: ReadonlySet<RouteResponse["kind"]> = new Set(["json", "jsonText", "jsonItems", "jsonMembers"]);

/** Whether the client does not accept the response; the next route may then take the request. */
function isNotAcceptable(
  { kind }: RouteResponse,
  { anyAccept }: Pick<AnyRouteInfo, "anyAccept">,
  { headers }: RouteRequest,
): boolean {
  return anyAccept !== true && refusable.has(kind) && acceptedForm(headers.get("Accept")) === undefined;
}

/** Parses values in the order of the kinds, which is that of the path. */
function readParams(
  kinds: Readonly<Record<string, Kind<unknown>>>,
  texts: Readonly<Record<string, string | undefined>>,
  chainId: number,
): Record<string, unknown> | Mismatch {
  const values: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(kinds)) {
    const text = percentDecoded(texts[name] ?? "");
    if (text === undefined) return mismatch;
    const value = kind.read(text, chainId);
    if (value === mismatch) return mismatch;
    values[name] = value;
  }
  return values;
}

function readQuery(
  fields: Readonly<Record<string, QueryField<unknown>>>,
  query: SearchParams,
  chainId: number,
): Record<string, unknown> | Mismatch {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = field.read(query.getAll(name), chainId);
    if (value === mismatch) return mismatch;
    values[name] = value;
  }
  return values;
}

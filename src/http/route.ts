/**
 * Routes as rows: method, path, the kinds of its values, how the body is read, what it answers, and the handler. A row says
 * all there is to know of an endpoint: the router and the document (`open-api/`) are made of it.
 */
import { acceptedForm } from "./accept.ts";
import { ApiError } from "./api-fault.ts";
import type { ApiKeyGuard } from "./api-key.ts";
import type { Description, Unlisted } from "./description.ts";
import { type Kind, type Mismatch, mismatch } from "./kind.ts";
import { percentDecoded } from "./percent-text.ts";
import type { QueryField } from "./query.ts";
import { methodNotAllowed, type Reply } from "./reply.ts";
import type { BodyReader } from "./request-body.ts";
import type { SearchParams } from "./request-url.ts";
import type { RouteRequest } from "./route-request.ts";
import { defaultTimeLimitMs, withTimeLimit } from "./time-limit.ts";

/** ALL: any method, also one that does not exist. */
export type Method = "GET" | "POST" | "DELETE" | "ALL";

/** What the router itself must know of the node. */
export interface RoutingContext {
  readonly chainId: number;
  readonly hasApiKey: ApiKeyGuard;
}

/** What a handler gets: the values of the request, and the node's parts. */
export type RouteInput<Context, Params, Query, Body> = Context & {
  readonly params: Readonly<Params>;
  readonly query: Readonly<Query>;
  readonly body: Body;
  readonly request: RouteRequest;
};

/** What an answer depends on, besides the request and the node's settings. */
export type Dependence =
  /** Nothing else. */
  | "request"
  /** The state of the chain: any block and micro-block may change it. */
  | "tip"
  /** How many blocks there are, and how many are final; nothing of what is in them, which a fork or a rollback changes. */
  | "height"
  /** The state of the chain as well, but what it shows may be final, and says so then. */
  | "final"
  /** What waits in the pool. */
  | "pool"
  /** What this node is, has and does. */
  | "node"
  | "clock"
  | "chance";

/** What of a row is data. */
export interface RouteFacts<Params = unknown, Query = unknown, Body = unknown> {
  readonly method: Method;
  /** Segments of the form `:name` are read by the kind of that name; `*` at the end takes any rest. */
  readonly path: string;
  /** Which answers may be kept, and until when, follows from it: see `edge-cache.ts`. */
  readonly dependsOn: Dependence;
  /** Of a row with POST: it asks and changes nothing, so that the same body has the same answer for as long as a GET would. */
  readonly isQuestion?: boolean;
  /** Only with the API key. */
  readonly isPrivate?: boolean;
  /** Of a row with POST: a GET of the path is answered with the 405 text, once the key is there where it is private. */
  readonly refusesGet?: boolean;
  /** How long the answer may take, from the body on; see `time-limit.ts`. */
  readonly timeLimitMs?: number;
  /** The path may end with a slash. */
  readonly trailingSlash?: boolean;
  /** The answer is the same whatever the client accepts. */
  readonly anyAccept?: boolean;
  readonly params?: { readonly [Name in keyof Params]: Kind<Params[Name]> };
  readonly query?: { readonly [Name in keyof Query]: QueryField<Query[Name]> };
  readonly body?: BodyReader<Body>;
  readonly description: Description<NoInfer<Params>> | Unlisted;
}

export interface RouteRow<Context, Params, Query, Body> extends RouteFacts<Params, Query, Body> {
  /** A mismatch sends the request on to the next route. */
  readonly handle: (input: RouteInput<Context, Params, Query, Body>) => Reply | Mismatch | Promise<Reply | Mismatch>;
}

/** A row whose types are settled, as the router and the document take it. */
export interface Route<Context> {
  readonly facts: SettledFacts;
  /** undefined: the route does not take the request. @throws ApiError */
  readonly respond: (request: RouteRequest, context: Context) => Promise<Reply | undefined>;
}

export type SettledFacts = RouteFacts<Record<string, unknown>, Record<string, unknown>, unknown>;

/** Makes routes of rows for one kind of context. */
export function routesFor<Context extends RoutingContext>() {
  return function route<Params = Record<never, never>, Query = Record<never, never>, Body = undefined>(
    row: RouteRow<Context, Params, Query, Body>,
  ): Route<Context> {
    return {
      // Names of values no longer matter, only their kinds.
      facts: row as unknown as SettledFacts,
      respond: async (request, context) => {
        if (!endsAsItShould(request.path, row)) return undefined;
        // Whoever lacks the key is told so, whatever the path holds.
        if (row.isPrivate && !context.hasApiKey(request.headers)) throw new ApiError({ code: "apiKeyNotValid" });
        const params = readParams(row.params ?? {}, request.params, context.chainId);
        if (params === mismatch) return undefined;
        if (row.refusesGet && request.method === "GET") return methodNotAllowed;
        const query = readQuery(row.query ?? {}, request.searchParams, context.chainId);
        if (query === mismatch) return undefined;
        const answer = async (): Promise<Reply | Mismatch> => {
          const body = row.body === undefined ? undefined : await row.body.read(request);
          if (body === mismatch) return mismatch;
          return row.handle({ ...context, params, query, body, request } as RouteInput<Context, Params, Query, Body>);
        };
        const reply = await withTimeLimit(answer(), row.timeLimitMs ?? defaultTimeLimitMs);
        return reply === mismatch || isShutOut(reply, row, request) ? undefined : reply;
      },
    };
  };
}

/** The router takes any number of slashes at the end of a path; the interface takes none, or one where a row says so. */
function endsAsItShould(path: string, row: { readonly path: string; readonly trailingSlash?: boolean }): boolean {
  if (row.path.endsWith("*") || !path.endsWith("/")) return true;
  return row.trailingSlash === true && !path.endsWith("//");
}

/** Replies that a client may refuse by what it accepts: errors are sent to everybody. */
const refusable: ReadonlySet<Reply["kind"]> = new Set(["json", "jsonText", "jsonItems", "jsonMembers"]);

/** Whether the client does not accept the answer, which the next route may then give. */
function isShutOut(
  { kind }: Reply,
  { anyAccept }: Pick<SettledFacts, "anyAccept">,
  { headers }: RouteRequest,
): boolean {
  return anyAccept !== true && refusable.has(kind) && acceptedForm(headers.get("Accept")) === undefined;
}

/** In the order of the kinds, which is that of the path. */
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

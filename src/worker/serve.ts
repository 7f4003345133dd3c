/** A request from its arrival to its response. */
import type { Env } from "../env.ts";
import { acceptedForm, type JsonForm } from "../http/accept.ts";
import { ApiError, type ApiErrorDetails } from "../http/api-error.ts";
import { clientHost } from "../http/client-host.ts";
import { corsHeaders, preflightResponse } from "../http/cors.ts";
import { apiErrorResponse, unknownErrorResponse } from "../http/errors.ts";
import { FILE_PATH } from "../http/file-body.ts";
import { RequestWork } from "../http/request-work.ts";
import { respond, responseOf, type Written, write } from "../http/respond.ts";
import type { AnyRouteInfo } from "../http/route.ts";
import { RouteRequest } from "../http/route-request.ts";
import { notFound, type RouteResponse } from "../http/route-response.ts";
import { createRouter } from "../http/router.ts";
import { NetworkSettingsError } from "../network/settings-error.ts";
import { WorkExceeded } from "../platform/refused-work.ts";
import { type Chain, firstHeight } from "../read-model/chain.ts";
import { RemoteStateUnavailable } from "../read-model/fetched-state.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { ReadModelUnavailable } from "../read-model/read-model-unavailable.ts";
import { StateQueryTooLarge } from "../read-model/state/published-state.ts";
import { StateChanged } from "../read-model/state-changed.ts";
import { allRoutes, devChainRoutes } from "../routes/all-routes.ts";
import { ChainUnavailable, chainCalls } from "../services/chain-calls.ts";
import type { NodeContext } from "../services/context.ts";
import { type NodeServices, servicesOf } from "../services/node-services.ts";
import { PeersUnavailable } from "../services/peer-calls.ts";
import { type CacheableRequest, cacheableRequestOf, isCacheableRoute } from "./cacheable-request.ts";
import { cachedResponse } from "./cached-response.ts";
import { chainStateOf, clientHeaders, newestFor, peersOf, type RequestedNode, readModelOf } from "./requested-node.ts";

const router = createRouter(allRoutes);
const devRouter = createRouter(devChainRoutes);

/** Attempts to build a response from a single chain state before giving up with 503. */
const MAX_TRIES = 3;

/** The Worker's `fetch`. */
export async function serve(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
  let services: NodeServices;
  try {
    services = servicesOf(env);
  } catch (error) {
    if (error instanceof NetworkSettingsError) return wrongSettingsResponse(error);
    throw error;
  }
  const work = new RequestWork(Date.now());
  const turn = services.scriptScheduler.enter();
  const node: RequestedNode = { services, env, execution, request, work, slot: turn };
  try {
    const cacheable = await cacheableRequestOf(request);
    const cached = cacheable.key === undefined ? undefined : await cachedResponse(node, cacheable.key);
    const response = cached ?? (await createResponse(node, cacheable));
    services.requests.record(work, response.status);
    return response;
  } finally {
    turn.end();
  }
}

/** A deployment cannot be prevented from starting: it only reports the wrong setting. */
function wrongSettingsResponse({ message }: NetworkSettingsError): Promise<Response> {
  const response = apiErrorResponse({ code: "requestInvalid", message: `The node does not start. ${message}` });
  return respond(response, { form: "exact", ifNoneMatch: null }, {});
}

async function createResponse(node: RequestedNode, cacheable: CacheableRequest): Promise<Response> {
  const { services, request } = node;
  if (request.method === "OPTIONS") return preflightResponse(request, services.limits.cors);
  const { written, headers } = await createClientResponse(node, cacheable);
  const ifNoneMatch = request.method === "GET" ? request.headers.get("If-None-Match") : null;
  return responseOf(written, ifNoneMatch, headers);
}

/** Response to a client. */
interface ClientResponse {
  readonly written: Written;
  /** All of them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Dispatches a request to its route. */
async function createClientResponse(node: RequestedNode, cacheable: CacheableRequest): Promise<ClientResponse> {
  const { services, request } = node;
  const { key, routed = RouteRequest.of(request) } = cacheable;
  if (routed === undefined) {
    const written = await write(notFound, "exact");
    return { written, headers: { ...written.headers, ...corsHeaders(request, services.limits.cors) } };
  }
  const form = acceptedForm(request.headers.get("Accept")) ?? "exact";
  const { response, written, route, model } = await singleStateResponse(routed, form, node);
  await routed.discardBody(services.network.isDevChain ? FILE_PATH : undefined);
  // A response without reads is valid for the newest known state.
  const chain = model.seenChain ?? services.latest.known()?.chain;
  const ready =
    key !== undefined && route !== undefined && isCacheableRoute(route, request.method) && !node.work.awaitsReader
      ? services.responseCache.store(key, response, written, { route, chain })
      : written;
  const bookmark = model.bookmark ?? services.latest.newest?.bookmark;
  // A final response may be of a state that was the newest a second ago.
  const isFinal = "freshness" in response && response.freshness.kind === "final";
  const headerChain = isFinal ? services.latest.known()?.chain : chain;
  return { written: ready, headers: { ...ready.headers, ...clientHeaders(node, { chain: headerChain, bookmark }) } };
}

interface RoutedResponse {
  readonly response: RouteResponse;
  readonly written: Written;
  /** Route of the response. */
  readonly route: AnyRouteInfo | undefined;
  readonly model: ReadModel;
}

/** Builds the response, and builds it again if the chain changes between its reads, as long as nothing is sent. */
async function singleStateResponse(routed: RouteRequest, form: JsonForm, node: RequestedNode): Promise<RoutedResponse> {
  for (let tries = 1; ; tries++) {
    const model = readModelOf(node);
    let row: AnyRouteInfo | undefined;
    const built = async (response: RouteResponse): Promise<RoutedResponse> => ({
      response: response,
      written: await write(response, form),
      route: row,
      model,
    });
    try {
      const onRow = (definition: AnyRouteInfo | undefined) => {
        row = definition;
        node.work.route = definition;
      };
      return await built(await dispatch(routed, contextOf(node, model), onRow));
    } catch (error) {
      if (!(error instanceof StateChanged) || tries === MAX_TRIES) return built(errorResponse(error, model.seenChain));
    }
  }
}

function contextOf(node: RequestedNode, model: ReadModel): NodeContext {
  const { services, env, execution, work } = node;
  const { blockchain, isDevChain } = services.network;
  const { headers } = node.request;
  return {
    ...services,
    finals: services.finals.for({
      reader: clientHost(headers),
      waitUntil: (promise) => execution.waitUntil(promise),
      onFind: (place) => work.readFinal(place),
      onStore: () => work.kvWrites++,
      onWait: () => {
        work.awaitsReader = true;
      },
    }),
    broadcastBatcher: {
      submit: (submission, offering) => {
        work.sharesCall = true;
        return services.broadcastBatcher.submit(submission, { ...offering, slot: node.slot });
      },
    },
    turn: node.slot,
    chainId: blockchain.chainId,
    model,
    chainState: chainCalls(chainStateOf(node), () => services.latest.outdate()),
    peers: peersOf(node),
    assets: env.ASSETS,
    queryState: (ask, { kind, runsScripts } = {}) => {
      const turn = runsScripts ? node.slot : undefined;
      return services.published.query({ model, newest: () => newestFor(node), kind, slot: turn }, ask);
    },
    countedHost: () => (isDevChain || services.hasApiKey(headers) ? undefined : clientHost(headers)),
    nowMs: Date.now,
    waitUntil: (promise) => execution.waitUntil(promise),
  };
}

async function dispatch(
  request: RouteRequest,
  context: NodeContext,
  onRow: (row: AnyRouteInfo | undefined) => void,
): Promise<RouteResponse> {
  if (request.method === "HEAD") return notFound;
  return (context.network.isDevChain ? devRouter : router)(request, context, onRow);
}

/** An object that is not found may be below the first block of the node. */
function inHistory(fault: ApiErrorDetails, chain: Chain | undefined): ApiErrorDetails {
  const mayStandBelow = fault.code === "blockUnknown" || fault.code === "transactionUnknown";
  return mayStandBelow && chain !== undefined ? { ...fault, historyFrom: firstHeight(chain) } : fault;
}

/** Errors after which a retry may succeed. */
const transientErrors = [ChainUnavailable, PeersUnavailable, StateQueryTooLarge, StateChanged] as const;

/** Response for an error. @param chain last state that was read */
function errorResponse(error: unknown, chain: Chain | undefined): RouteResponse {
  if (error instanceof ApiError) return apiErrorResponse(inHistory(error.details, chain));
  if (error instanceof RemoteStateUnavailable)
    return apiErrorResponse(
      error.isUnsupported
        ? { code: "requestInvalid", message: error.message }
        : { code: "noTimelyAnswer", behindFork: error.message },
    );
  if (error instanceof ReadModelUnavailable)
    return apiErrorResponse({ code: "noTimelyAnswer", readModel: error.progress });
  if (error instanceof WorkExceeded) return apiErrorResponse({ code: "noTimelyAnswer", exceeded: error });
  if (transientErrors.some((kind) => error instanceof kind)) return apiErrorResponse({ code: "noTimelyAnswer" });
  // biome-ignore lint/suspicious/noConsole: a bug, which the operator should see; requests hold no secrets but the key
  console.error(error);
  return unknownErrorResponse;
}

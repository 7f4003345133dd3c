/** A request from its arrival to its response. */
import type { Env } from "../env.ts";
import { acceptedForm, type JsonForm } from "../http/accept.ts";
import { ApiError, type ApiFault } from "../http/api-error.ts";
import { clientHost } from "../http/client-host.ts";
import { corsHeaders, preflightResponse } from "../http/cors.ts";
import { apiErrorReply, unknownErrorReply } from "../http/errors.ts";
import { FILE_PATH } from "../http/file-body.ts";
import { RequestWork } from "../http/request-work.ts";
import { respond, responseOf, type Written, write } from "../http/respond.ts";
import type { SettledFacts } from "../http/route.ts";
import { RouteRequest } from "../http/route-request.ts";
import { notFound, type Reply } from "../http/route-response.ts";
import { createRouter } from "../http/router.ts";
import { NetworkSettingsError } from "../network/settings-error.ts";
import { WorkExceeded } from "../platform/refused-work.ts";
import { type Chain, firstHeight } from "../read-model/chain.ts";
import { NotBrought } from "../read-model/fetched-state.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { ReadModelUnavailable } from "../read-model/read-model-unavailable.ts";
import { QuestionTooLarge } from "../read-model/state/published-state.ts";
import { StateChanged } from "../read-model/state-changed.ts";
import { allRoutes, devChainRoutes } from "../routes/all-routes.ts";
import { ChainUnavailable, chainCalls } from "../services/chain-calls.ts";
import type { NodeContext } from "../services/context.ts";
import { type NodeServices, servicesOf } from "../services/node-services.ts";
import { PeersUnavailable } from "../services/peer-calls.ts";
import { isKeptRow, type Question, questionOf } from "./cacheable-request.ts";
import { keptResponse } from "./cached-response.ts";
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
  const turn = services.workTurns.enter();
  const node: RequestedNode = { services, env, execution, request, work, turn };
  try {
    const cacheable = await questionOf(request);
    const cached = cacheable.key === undefined ? undefined : await keptResponse(node, cacheable.key);
    const response = cached ?? (await madeResponse(node, cacheable));
    services.requests.record(work, response.status);
    return response;
  } finally {
    turn.end();
  }
}

/** A deployment cannot be prevented from starting: it only reports the wrong setting. */
function wrongSettingsResponse({ message }: NetworkSettingsError): Promise<Response> {
  const reply = apiErrorReply({ code: "requestInvalid", message: `The node does not start. ${message}` });
  return respond(reply, { form: "exact", ifNoneMatch: null }, {});
}

async function madeResponse(node: RequestedNode, cacheable: Question): Promise<Response> {
  const { services, request } = node;
  if (request.method === "OPTIONS") return preflightResponse(request, services.limits.cors);
  const { written, headers } = await madeAnswer(node, cacheable);
  const ifNoneMatch = request.method === "GET" ? request.headers.get("If-None-Match") : null;
  return responseOf(written, ifNoneMatch, headers);
}

/** Response to a client. */
interface AnswerToClient {
  readonly written: Written;
  /** All of them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Dispatches a request to its route. */
async function madeAnswer(node: RequestedNode, cacheable: Question): Promise<AnswerToClient> {
  const { services, request } = node;
  const { key, routed = RouteRequest.of(request) } = cacheable;
  if (routed === undefined) {
    const written = await write(notFound, "exact");
    return { written, headers: { ...written.headers, ...corsHeaders(request, services.limits.cors) } };
  }
  const form = acceptedForm(request.headers.get("Accept")) ?? "exact";
  const { reply, written, row, model } = await oneStateAnswer(routed, form, node);
  await routed.passOverBody(services.network.isDevChain ? FILE_PATH : undefined);
  // A response without reads is valid for the newest known state.
  const chain = model.shown ?? services.latest.known()?.chain;
  const ready =
    key !== undefined && row !== undefined && isKeptRow(row, request.method) && !node.work.awaitsReader
      ? services.answers.keep(key, reply, written, { row, chain })
      : written;
  const bookmark = model.bookmark ?? services.latest.newest?.bookmark;
  // A final response may be of a state that was the newest a second ago.
  const isFinal = "freshness" in reply && reply.freshness.kind === "final";
  const headerChain = isFinal ? services.latest.known()?.chain : chain;
  return { written: ready, headers: { ...ready.headers, ...clientHeaders(node, { chain: headerChain, bookmark }) } };
}

interface MadeAnswer {
  readonly reply: Reply;
  readonly written: Written;
  /** Route of the response. */
  readonly row: SettledFacts | undefined;
  readonly model: ReadModel;
}

/** Builds the response, and builds it again if the chain changes between its reads, as long as nothing is sent. */
async function oneStateAnswer(routed: RouteRequest, form: JsonForm, node: RequestedNode): Promise<MadeAnswer> {
  for (let tries = 1; ; tries++) {
    const model = readModelOf(node);
    let row: SettledFacts | undefined;
    const built = async (reply: Reply): Promise<MadeAnswer> => ({
      reply,
      written: await write(reply, form),
      row,
      model,
    });
    try {
      const onRow = (definition: SettledFacts | undefined) => {
        row = definition;
        node.work.route = definition;
      };
      return await built(await replyTo(routed, contextOf(node, model), onRow));
    } catch (error) {
      if (!(error instanceof StateChanged) || tries === MAX_TRIES) return built(refusal(error, model.shown));
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
    poolOffers: {
      offer: (offer, offering) => {
        work.sharesCall = true;
        return services.poolOffers.offer(offer, { ...offering, turn: node.turn });
      },
    },
    turn: node.turn,
    chainId: blockchain.chainId,
    model,
    chainState: chainCalls(chainStateOf(node), () => services.latest.outdate()),
    peers: peersOf(node),
    assets: env.ASSETS,
    askState: (ask, { kind, runsScripts } = {}) => {
      const turn = runsScripts ? node.turn : undefined;
      return services.published.ask({ model, newest: () => newestFor(node), kind, turn }, ask);
    },
    countedHost: () => (isDevChain || services.hasApiKey(headers) ? undefined : clientHost(headers)),
    nowMs: Date.now,
    waitUntil: (promise) => execution.waitUntil(promise),
  };
}

async function replyTo(
  request: RouteRequest,
  context: NodeContext,
  onRow: (row: SettledFacts | undefined) => void,
): Promise<Reply> {
  if (request.method === "HEAD") return notFound;
  return (context.network.isDevChain ? devRouter : router)(request, context, onRow);
}

/** An object that is not found may be below the first block of the node. */
function inHistory(fault: ApiFault, chain: Chain | undefined): ApiFault {
  const mayStandBelow = fault.code === "blockUnknown" || fault.code === "transactionUnknown";
  return mayStandBelow && chain !== undefined ? { ...fault, historyFrom: firstHeight(chain) } : fault;
}

/** Errors after which a retry may succeed. */
const unanswered = [ChainUnavailable, PeersUnavailable, QuestionTooLarge, StateChanged] as const;

/** Response for an error. @param chain last state that was read */
function refusal(error: unknown, chain: Chain | undefined): Reply {
  if (error instanceof ApiError) return apiErrorReply(inHistory(error.fault, chain));
  if (error instanceof NotBrought)
    return apiErrorReply(
      error.isUntold
        ? { code: "requestInvalid", message: error.message }
        : { code: "noTimelyAnswer", behindFork: error.message },
    );
  if (error instanceof ReadModelUnavailable)
    return apiErrorReply({ code: "noTimelyAnswer", readModel: error.progress });
  if (error instanceof WorkExceeded) return apiErrorReply({ code: "noTimelyAnswer", exceeded: error });
  if (unanswered.some((kind) => error instanceof kind)) return apiErrorReply({ code: "noTimelyAnswer" });
  // biome-ignore lint/suspicious/noConsole: a bug, which the operator should see; requests hold no secrets but the key
  console.error(error);
  return unknownErrorReply;
}

/** A request from its arrival to its response. */
import type { Env } from "../env.ts";
import { acceptedForm } from "../http/accept.ts";
import { ApiError } from "../http/api-fault.ts";
import { corsHeaders, preflightResponse } from "../http/cors.ts";
import { apiErrorReply, unknownErrorReply } from "../http/errors.ts";
import { notFound, type Reply } from "../http/reply.ts";
import { respond, responseOf, write } from "../http/respond.ts";
import type { SettledFacts } from "../http/route.ts";
import { RouteRequest } from "../http/route-request.ts";
import { createRouter } from "../http/router.ts";
import { NetworkSettingsError } from "../network/settings-error.ts";
import type { Chain } from "../read-model/chain.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { ReadModelUnavailable } from "../read-model/read-model-unavailable.ts";
import { QuestionTooLarge } from "../read-model/state/published-state.ts";
import { allRoutes } from "./all-routes.ts";
import { ChainUnavailable, chainCalls } from "./chain-calls.ts";
import type { NodeContext } from "./context.ts";
import { keptResponse } from "./kept-response.ts";
import { type NodeServices, servicesOf } from "./node-services.ts";
import { isKeptRow, type Question, questionOf } from "./question.ts";
import { clientHeaders, newestFor, type RequestedNode, readModelOf } from "./requested-node.ts";

const router = createRouter(allRoutes);

/** How often an answer is made whose readings have shown more than one state, because the chain went on between them. */
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
  const node: RequestedNode = { services, env, execution, request };
  const question = await questionOf(request);
  const kept = question.key === undefined ? undefined : await keptResponse(node, question.key);
  return kept ?? madeResponse(node, question);
}

/** A deployment cannot be kept from starting: it does nothing but say which setting is wrong. */
function wrongSettingsResponse({ message }: NetworkSettingsError): Response {
  const reply = apiErrorReply({ code: "requestInvalid", message: `The node does not start. ${message}` });
  return respond(reply, { form: "exact", ifNoneMatch: null }, {});
}

async function madeResponse(node: RequestedNode, question: Question): Promise<Response> {
  const { services, request } = node;
  const { cors } = services.limits;
  if (request.method === "OPTIONS") return preflightResponse(request, cors);
  // A Host header may hold anything; what makes no URL has no route.
  if (!URL.canParse(request.url)) {
    return respond(notFound, { form: "exact", ifNoneMatch: null }, corsHeaders(request, cors));
  }
  const { key, routed = new RouteRequest(request) } = question;
  const { reply, row, model } = await oneStateReply(routed, node);
  await routed.passOverBody();
  const written = write(reply, acceptedForm(request.headers.get("Accept")) ?? "exact");
  const chain = shownBy(model, services);
  const ready =
    key !== undefined && row !== undefined && isKeptRow(row, request.method)
      ? services.answers.keep(key, reply, written, { dependsOn: row.dependsOn, chain })
      : written;
  const ifNoneMatch = request.method === "GET" ? request.headers.get("If-None-Match") : null;
  const bookmark = model.bookmark ?? services.latest.newest?.bookmark;
  // What is final may be of a state that was the newest a second ago.
  const isFinal = "freshness" in reply && reply.freshness.kind === "final";
  const named = isFinal ? services.latest.known()?.chain : chain;
  const headers = { ...ready.headers, ...clientHeaders(node, { chain: named, bookmark }) };
  return responseOf(ready, ifNoneMatch, headers);
}

/** The one state that an answer shows; where nothing was read for it, the one that is known to be the newest. */
function shownBy({ shown }: ReadModel, { latest }: NodeServices): Chain | undefined {
  return shown.length === 0 ? latest.known()?.chain : shown.length === 1 ? shown[0] : undefined;
}

interface MadeReply {
  readonly reply: Reply;
  /** The row that gave it. */
  readonly row: SettledFacts | undefined;
  readonly model: ReadModel;
}

/** The reply; made again where it names a state, and the chain went on while it was made. */
async function oneStateReply(routed: RouteRequest, node: RequestedNode): Promise<MadeReply> {
  for (let tries = 1; ; tries++) {
    const made = await makeReply(routed, node);
    const { reply, model } = made;
    const isMixed = model.shown.length > 1 && "freshness" in reply && reply.freshness.kind === "state";
    if (!isMixed || tries === MAX_TRIES) return made;
  }
}

async function makeReply(routed: RouteRequest, node: RequestedNode): Promise<MadeReply> {
  const { services, env, execution } = node;
  const { blockchain } = services.network;
  const model = readModelOf(node);
  const context: NodeContext = {
    ...services,
    chainId: blockchain.chainId,
    model,
    chainState: chainCalls(env.CHAIN_STATE, () => services.latest.outdate()),
    assets: env.ASSETS,
    askState: (ask, kind) => services.published.ask({ model, newest: () => newestFor(node), kind }, ask),
    nowMs: Date.now,
    waitUntil: (work) => execution.waitUntil(work),
  };
  let row: SettledFacts | undefined;
  const reply = await replyTo(routed, context, (asked) => {
    row = asked;
  });
  return { reply, row, model };
}

async function replyTo(
  request: RouteRequest,
  context: NodeContext,
  onRow: (row: SettledFacts | undefined) => void,
): Promise<Reply> {
  if (request.method === "HEAD") return notFound;
  try {
    return await router(request, context, onRow);
  } catch (error) {
    if (error instanceof ApiError) return apiErrorReply(error.fault);
    if (error instanceof ReadModelUnavailable)
      return apiErrorReply({ code: "noTimelyAnswer", readModel: error.progress });
    if (error instanceof ChainUnavailable || error instanceof QuestionTooLarge)
      return apiErrorReply({ code: "noTimelyAnswer" });
    // biome-ignore lint/suspicious/noConsole: a bug, which the operator should see; requests hold no secrets but the key
    console.error(error);
    return unknownErrorReply;
  }
}

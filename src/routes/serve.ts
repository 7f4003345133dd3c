/** A request from its arrival to its response. */
import type { Env } from "../env.ts";
import { ApiError } from "../http/api-fault.ts";
import { corsHeaders, preflightResponse } from "../http/cors.ts";
import { apiErrorReply, unknownErrorReply } from "../http/errors.ts";
import { notFound, type Reply } from "../http/reply.ts";
import { respond } from "../http/respond.ts";
import { formOf } from "../http/route.ts";
import { RouteRequest } from "../http/route-request.ts";
import { createRouter } from "../http/router.ts";
import { NetworkSettingsError } from "../network/settings-error.ts";
import { bookmarkHeader, parseBookmark } from "../read-model/bookmark.ts";
import { ReadModel } from "../read-model/read-model.ts";
import { ReadModelUnavailable, readPublished } from "../read-model/read-model-unavailable.ts";
import { askReadModel, QuestionTooLarge } from "../read-model/state/ask-read-model.ts";
import { allRoutes } from "./all-routes.ts";
import { ChainUnavailable, chainCalls } from "./chain-calls.ts";
import type { NodeContext } from "./context.ts";
import { type NodeServices, servicesOf } from "./node-services.ts";

const router = createRouter(allRoutes);

/** The Worker's `fetch`. */
export async function serve(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
  let services: NodeServices;
  try {
    services = servicesOf(env);
  } catch (error) {
    if (error instanceof NetworkSettingsError) return wrongSettingsResponse(error);
    throw error;
  }
  const { cors } = services.limits;
  if (request.method === "OPTIONS") return preflightResponse(request, cors);
  // A Host header may hold anything; what makes no URL has no route.
  if (!URL.canParse(request.url)) {
    return respond(notFound, { form: "exact", ifNoneMatch: null }, corsHeaders(request, cors));
  }
  const { blockchain } = services.network;
  const chainState = chainCalls(env.CHAIN_STATE);
  const publish = () => services.readerWakes.once(Date.now(), () => chainState.node.wake());
  const model = new ReadModel({
    database: env.DB,
    settings: blockchain,
    bookmark: parseBookmark(request.headers.get(bookmarkHeader)),
    onChain: (chain) => services.finals.seeChain(chain),
    publish,
  });
  const context: NodeContext = {
    ...services,
    chainId: blockchain.chainId,
    model,
    chainState,
    assets: env.ASSETS,
    askState: (ask) =>
      readPublished(() => askReadModel(env.DB, { settings: blockchain, nowMs: Date.now }, ask), publish),
    nowMs: Date.now,
    waitUntil: (work) => execution.waitUntil(work),
  };
  const routed = new RouteRequest(request);
  const reply = await replyTo(routed, context);
  await routed.passOverBody();
  const { bookmark } = model;
  return respond(
    reply,
    {
      form: formOf(routed) ?? "exact",
      ifNoneMatch: request.method === "GET" ? request.headers.get("If-None-Match") : null,
    },
    { ...corsHeaders(request, cors), ...(bookmark !== undefined && { [bookmarkHeader]: bookmark }) },
  );
}

/** A deployment cannot be kept from starting: it does nothing but say which setting is wrong. */
function wrongSettingsResponse({ message }: NetworkSettingsError): Response {
  const reply = apiErrorReply({ code: "requestInvalid", message: `The node does not start. ${message}` });
  return respond(reply, { form: "exact", ifNoneMatch: null }, {});
}

async function replyTo(request: RouteRequest, context: NodeContext): Promise<Reply> {
  if (request.method === "HEAD") return notFound;
  try {
    return await router(request, context);
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

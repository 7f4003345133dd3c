/** What a request meets: the node's parts, and how they are reached. */
import type { Env } from "../env.ts";
import { corsHeaders } from "../http/cors.ts";
import type { RequestWork } from "../http/request-work.ts";
import { shownState, stateHeader } from "../http/state-header.ts";
import { bookmarkHeader, parseBookmark } from "../read-model/bookmark.ts";
import type { Chain } from "../read-model/chain.ts";
import { meteredDatabase } from "../read-model/metered-database.ts";
import { type Database, ReadModel } from "../read-model/read-model.ts";
import { chainCalls } from "./chain-calls.ts";
import type { NodeServices } from "./node-services.ts";

export interface RequestedNode {
  readonly services: NodeServices;
  readonly env: Env;
  readonly execution: ExecutionContext;
  readonly request: Request;
  readonly work: RequestWork;
}

/** On this machine one database is all there is; on Cloudflare copies may stand near the readers. */
function hasCopies(env: Env): boolean {
  return env.WAITS_FOR_RUNNER === undefined;
}

/** The read model; what is read is taken down. */
export function databaseOf({ env, work }: RequestedNode): Database {
  return meteredDatabase(env.DB, (rowsRead) => work.readD1(rowsRead));
}

/** ChainState; what it is asked is taken down. */
export function chainStateOf({ env, work }: RequestedNode): Pick<DurableObjectNamespace, "getByName"> {
  return {
    getByName: (name) => {
      work.chainStateCalls++;
      return env.CHAIN_STATE.getByName(name);
    },
  };
}

/** The reading of the request. */
export function readModelOf(node: RequestedNode): ReadModel {
  const { services, env, request } = node;
  return new ReadModel({
    database: databaseOf(node),
    hasCopies: hasCopies(env),
    settings: services.network.blockchain,
    bookmark: parseBookmark(request.headers.get(bookmarkHeader)),
    latest: services.latest,
    publish: () => publish(node),
  });
}

/** Has ChainState publish, where nothing is published. */
export function publish(node: RequestedNode): Promise<void> {
  return node.services.readerWakes.once(Date.now(), () => chainCalls(chainStateOf(node)).node.wake());
}

/** Headers that are about one client, and about what it is shown. @param chain the state that an answer is known to be right for */
export function clientHeaders(
  { services, request, env }: RequestedNode,
  { chain, bookmark }: { readonly chain: Chain | undefined; readonly bookmark: string | undefined },
): Record<string, string> {
  const headers = corsHeaders(request, services.limits.cors);
  if (bookmark !== undefined) headers[bookmarkHeader] = bookmark;
  if (chain !== undefined && !hasCopies(env)) headers[stateHeader] = shownState(chain);
  return headers;
}

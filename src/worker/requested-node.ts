/** The node as seen by one request: its services, and access to them. */
import type { Env, PeersRpc } from "../env.ts";
import { corsHeaders } from "../http/cors.ts";
import type { RequestWork } from "../http/request-work.ts";
import { stateHeader, stateText } from "../http/state-header.ts";
import { hasPeers } from "../network/missing-peers.ts";
import type { RequestSlot } from "../platform/script-scheduler.ts";
import { type Bookmark, bookmarkHeader, parseBookmark } from "../read-model/bookmark.ts";
import type { Chain } from "../read-model/chain.ts";
import type { SeenState } from "../read-model/latest-state.ts";
import { meteredDatabase } from "../read-model/metered-database.ts";
import { ReadModel } from "../read-model/read-model.ts";
import { chainCalls } from "../services/chain-calls.ts";
import { hasCopies, type NodeServices } from "../services/node-services.ts";
import { peerCalls } from "../services/peer-calls.ts";

export interface RequestedNode {
  readonly services: NodeServices;
  readonly env: Env;
  readonly execution: ExecutionContext;
  readonly request: Request;
  readonly work: RequestWork;
  readonly slot: RequestSlot;
}

/** Binding of ChainState that counts calls. */
export function chainStateOf({ env, work }: RequestedNode): Pick<DurableObjectNamespace, "getByName"> {
  return {
    getByName: (name) => {
      work.chainStateCalls++;
      return env.CHAIN_STATE.getByName(name);
    },
  };
}

/** Service of PeerHub; undefined: the node has no peers. */
export function peersOf({ env, work, services }: RequestedNode): PeersRpc | undefined {
  const { PEER_HUB } = env;
  if (PEER_HUB === undefined || !hasPeers(services.network)) return undefined;
  return peerCalls({
    getByName: (name) => {
      work.callsPeerHub = true;
      return PEER_HUB.getByName(name);
    },
  });
}

/** Bookmark of the client, if the database has copies. */
function bookmarkOf({ env, request }: RequestedNode): Bookmark | undefined {
  return hasCopies(env) ? parseBookmark(request.headers.get(bookmarkHeader)) : undefined;
}

/** Read model of the request. */
export function readModelOf(node: RequestedNode): ReadModel {
  const { services, env, work, execution } = node;
  const waitUntil = (promise: Promise<unknown>) => execution.waitUntil(promise);
  return new ReadModel({
    database: meteredDatabase(env.DB, (rowsRead) => work.readD1(rowsRead)),
    hasCopies: hasCopies(env),
    settings: services.network.blockchain,
    bookmark: bookmarkOf(node),
    latest: services.latest,
    fork: services.fetchedState && {
      fetchedState: services.fetchedState,
      fetchState: (remoteKeys) => chainCalls(chainStateOf(node)).fork.fetchState(remoteKeys),
    },
    readInBatch: async (query) => {
      const result = await services.queryBatcher.query(query, { database: env.DB, waitUntil });
      if (result !== undefined) work.readInBatch(result);
      return result;
    },
    publish: () => publish(node),
  });
}

/**
 * Newest state, if it is known or some request is about to read it.
 * @returns undefined: it could not be read, or the client may have seen a newer one in another isolate
 */
export async function newestFor(node: RequestedNode): Promise<SeenState | undefined> {
  const { services, execution } = node;
  const { latest } = services;
  const untilDone = (work: Promise<unknown>) => execution.waitUntil(work);
  const state = latest.known() ?? (await latest.current(() => readModelOf(node).read(), untilDone));
  const bookmark = bookmarkOf(node);
  return bookmark !== undefined && bookmark > (state?.bookmark ?? "") ? undefined : state;
}

/** Has ChainState publish, if nothing is published. */
export function publish(node: RequestedNode): Promise<void> {
  return node.services.readerWakes.once(Date.now(), () => chainCalls(chainStateOf(node)).node.wake());
}

/** Headers for one client and its state. @param chain state for which the response is valid */
export function clientHeaders(
  { services, request, env }: RequestedNode,
  { chain, bookmark }: { readonly chain: Chain | undefined; readonly bookmark: string | undefined },
): Record<string, string> {
  const headers = corsHeaders(request, services.limits.cors);
  if (bookmark !== undefined) headers[bookmarkHeader] = bookmark;
  if (chain !== undefined && !hasCopies(env)) headers[stateHeader] = stateText(chain);
  return headers;
}

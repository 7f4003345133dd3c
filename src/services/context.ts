/** Context of the routes: the request's reads of the chain, and the node's settings and services. */

import type { ChainRpc, PeersRpc } from "../env.ts";
import type { RequestRecorder } from "../http/request-recorder.ts";
import type { RestSettings } from "../http/rest-settings.ts";
import { type RoutingContext, routesFor } from "../http/route.ts";
import type { NetworkSettings } from "../network/settings.ts";
import type { IsolateMemory } from "../platform/isolate-memory.ts";
import type { ScriptSlot } from "../platform/script-scheduler.ts";
import type { RequestFinals } from "../read-model/final-objects.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { StateQueryResult } from "../read-model/state/published-state.ts";
import type { StateView } from "../rules/state/state-view.ts";
import type { BroadcastBatcher } from "./broadcast-batcher.ts";
import type { CompiledExpressions } from "./compiled-expressions.ts";
import type { CompiledScripts } from "./compiled-scripts.ts";
import type { ExceededBudgets } from "./exceeded-budgets.ts";
import type { UnknownIds } from "./unknown-ids.ts";

export interface StateQueryOptions {
  /** Kind of the query: queries of one kind usually read the same rows. */
  readonly kind?: string;
  /** Whether the client chooses the scripts that run: other requests have priority. */
  readonly runsScripts?: boolean;
}

export interface NodeContext extends RoutingContext {
  readonly network: NetworkSettings;
  readonly limits: RestSettings;
  readonly model: ReadModel;
  readonly finals: RequestFinals;
  readonly unknownIds: UnknownIds;
  readonly expressions: CompiledExpressions;
  readonly scripts: CompiledScripts;
  readonly broadcastBatcher: Pick<BroadcastBatcher, "submit">;
  readonly exceededBudgets: ExceededBudgets;
  /** Memory of this isolate's caches. */
  readonly memory: IsolateMemory;
  /** Counters and log of requests. */
  readonly requests: RequestRecorder;
  /** Services of ChainState. */
  readonly chainState: ChainRpc;
  /** Service of PeerHub; undefined: the node has no peers. */
  readonly peers: PeersRpc | undefined;
  /**
   * Runs a query of the rules on the newest published state.
   * @param ask query without side effects, which may run several times
   * @throws WorkExceeded
   */
  readonly queryState: <Answer>(
    ask: (view: StateView) => Answer,
    asking?: StateQueryOptions,
  ) => Promise<StateQueryResult<Answer>>;
  /** Lets other requests go before one with heavy computation. */
  readonly turn: ScriptSlot;
  /** Files of the API docs and the explorer. */
  readonly assets: Pick<Fetcher, "fetch">;
  /** Host whose refused-work budget the request spends; undefined on a dev chain, and with the API key. */
  readonly countedHost: () => string | undefined;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Continues work after the response is sent. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** Declares a route of the node. */
export const route = routesFor<NodeContext>();

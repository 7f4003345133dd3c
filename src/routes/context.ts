/** What the routes have at hand: the request's reading of the chain, and the node's settings. */

import type { ChainRpc, PeersRpc } from "../env.ts";
import type { RequestRecorder } from "../http/request-recorder.ts";
import type { RestSettings } from "../http/rest-settings.ts";
import { type RoutingContext, routesFor } from "../http/route.ts";
import type { NetworkSettings } from "../network/settings.ts";
import type { IsolateMemory } from "../platform/isolate-memory.ts";
import type { FinalObjects } from "../read-model/final-objects.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { AboutState } from "../read-model/state/published-state.ts";
import type { StateView } from "../rules/state/state-view.ts";
import type { CompiledExpressions } from "./compiled-expressions.ts";
import type { ExceededBudgets } from "./exceeded-budgets.ts";
import type { PoolOffers } from "./pool-offers.ts";
import type { UnknownIds } from "./unknown-ids.ts";

export interface AskedState {
  /** Questions of one kind mostly read the same rows. */
  readonly kind?: string;
  /** The client chooses which scripts run: other requests go first. */
  readonly runsScripts?: boolean;
}

export interface NodeContext extends RoutingContext {
  readonly network: NetworkSettings;
  readonly limits: RestSettings;
  readonly model: ReadModel;
  readonly finals: Pick<FinalObjects, "find" | "keep">;
  readonly unknownIds: UnknownIds;
  readonly expressions: CompiledExpressions;
  readonly poolOffers: Pick<PoolOffers, "offer">;
  readonly exceededBudgets: ExceededBudgets;
  /** What this isolate keeps. */
  readonly memory: IsolateMemory;
  /** What requests have taken so far. */
  readonly requests: RequestRecorder;
  /** ChainState: the pool, and the node as a whole. */
  readonly chainState: ChainRpc;
  /** PeerHub; undefined: the node has no peers. */
  readonly peers: PeersRpc | undefined;
  /**
   * What the rules answer on the newest published state.
   * @param ask may be run several times: it only answers
   * @throws WorkExceeded
   */
  readonly askState: <Answer>(ask: (view: StateView) => Answer, asking?: AskedState) => Promise<AboutState<Answer>>;
  /** The files of the page. */
  readonly assets: Pick<Fetcher, "fetch">;
  /** Host whose budget of refused work the request spends; undefined on a dev chain, and with the API key. */
  readonly countedHost: () => string | undefined;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Runs work on after the answer is sent. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** Declares one route of the node. */
export const route = routesFor<NodeContext>();

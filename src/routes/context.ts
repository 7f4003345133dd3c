/** What the routes have at hand: the request's reading of the chain, and the node's settings. */

import type { ChainRpc } from "../env.ts";
import type { RestSettings } from "../http/rest-settings.ts";
import { type RoutingContext, routesFor } from "../http/route.ts";
import type { NetworkSettings } from "../network/settings.ts";
import type { FinalObjects } from "../read-model/final-objects.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import type { AskDApp } from "../ride/evaluator/dapp-question.ts";

export interface NodeContext extends RoutingContext {
  readonly network: NetworkSettings;
  readonly limits: RestSettings;
  readonly model: ReadModel;
  readonly finals: FinalObjects;
  /** ChainState: what concerns the pool. */
  readonly chainState: ChainRpc;
  /** Runs the code of dApps on the read model. The entry gives it: the rules of the chain are not the routes'. */
  readonly askDApp: AskDApp;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Runs work on after the answer is sent. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** Declares one route of the node. */
export const route = routesFor<NodeContext>();

/** Settings and caches that a node's Worker shares among requests. */
import type { Env } from "../env.ts";
import { type ApiKeyGuard, apiKeyGuard } from "../http/api-key.ts";
import { requestLogOf } from "../http/request-log.ts";
import { RequestRecorder } from "../http/request-recorder.ts";
import { ResponseCache } from "../http/response-cache.ts";
import { type RestSettings, readRestSettings } from "../http/rest-settings.ts";
import { networkOfBinding } from "../network/network-of-binding.ts";
import type { NetworkSettings } from "../network/settings.ts";
import { NetworkSettingsError } from "../network/settings-error.ts";
import { IsolateMemory } from "../platform/isolate-memory.ts";
import { workerBytes } from "../platform/memory-budget.ts";
import { ScriptScheduler } from "../platform/script-scheduler.ts";

import { FetchedState } from "../read-model/fetched-state.ts";

import { FinalObjects, type LocalCache } from "../read-model/final-objects.ts";
import { LatestState } from "../read-model/latest-state.ts";
import { QueryBatcher } from "../read-model/query-batcher.ts";
import { PublishedState } from "../read-model/state/published-state.ts";
import { BroadcastBatcher } from "./broadcast-batcher.ts";
import { CompiledExpressions } from "./compiled-expressions.ts";
import { CompiledScripts } from "./compiled-scripts.ts";
import { ExceededBudgets } from "./exceeded-budgets.ts";
import { ReaderWakes } from "./reader-wakes.ts";
import { UnknownIds } from "./unknown-ids.ts";

export interface NodeServices {
  readonly network: NetworkSettings;
  readonly limits: RestSettings;
  readonly hasApiKey: ApiKeyGuard;
  readonly latest: LatestState;
  /** Fetched state of a fork. */
  readonly fetchedState: FetchedState | undefined;
  readonly queryBatcher: QueryBatcher;
  readonly finals: FinalObjects;
  readonly published: PublishedState;
  readonly expressions: CompiledExpressions;
  readonly scripts: CompiledScripts;
  readonly responseCache: ResponseCache;
  /** Memory of all caches of the isolate. */
  readonly memory: IsolateMemory;
  readonly requests: RequestRecorder;
  readonly unknownIds: UnknownIds;
  readonly broadcastBatcher: BroadcastBatcher;
  readonly exceededBudgets: ExceededBudgets;
  readonly scriptScheduler: ScriptScheduler;
  readonly readerWakes: ReaderWakes;
}

function readSettings(env: Env): Pick<NodeServices, "network" | "limits" | "hasApiKey"> {
  const { NETWORK: binding, API_KEY_HASH: apiKeyHash, DEV_CHAIN: devChain, FORK: fork } = env;
  if (!binding)
    throw new NetworkSettingsError({ path: "NETWORK", got: "missing", expected: "a network's name or settings" });
  const network = networkOfBinding(binding, devChain, fork, env);
  return {
    network,
    limits: readRestSettings(env),
    // Only the secret opens private routes: NETWORK is a plain variable, which many people may read and change.
    hasApiKey: apiKeyGuard(apiKeyHash ?? ""),
  };
}

/** Whether the database may have copies near the readers: on Cloudflare it may, locally not. */
export function hasCopies(env: Env): boolean {
  return env.WAITS_FOR_RUNNER === undefined;
}

/**
 * Maximum of concurrent batches of point queries. Locally the database shares the thread of its clients: a second batch
 * would wait for the first. On Cloudflare the database is far away, and a request has six connections.
 */
function maxInFlightOf(env: Env): number {
  return hasCopies(env) ? 6 : 1;
}

/** Cache of the data center; locally it would only be another path to the same disk. */
function cacheOf(env: Env): LocalCache | undefined {
  return !hasCopies(env) || typeof caches === "undefined" ? undefined : caches.default;
}

/** An isolate has one environment; tests have several. */
const servicesOfEnvironments = new WeakMap<Env, NodeServices | NetworkSettingsError>();

/** @throws NetworkSettingsError for settings with which no node can run */
export function servicesOf(env: Env): NodeServices {
  const known = servicesOfEnvironments.get(env) ?? startServices(env);
  servicesOfEnvironments.set(env, known);
  if (known instanceof NetworkSettingsError) throw known;
  return known;
}

function startServices(env: Env): NodeServices | NetworkSettingsError {
  try {
    const memory = new IsolateMemory(workerBytes.isolateMemory);
    const latest = new LatestState(Date.now);
    const settings = readSettings(env);
    const { blockchain } = settings.network;
    return {
      ...settings,
      latest,
      fetchedState: env.FORK === undefined ? undefined : new FetchedState(),
      queryBatcher: new QueryBatcher({
        ...{ hasCopies: hasCopies(env), maxInFlight: maxInFlightOf(env), settings: blockchain },
        ...{ latest, nowMs: Date.now },
      }),
      finals: new FinalObjects({ store: env.FINAL, cache: cacheOf(env), latest, memory }),
      published: new PublishedState({
        ...{ settings: blockchain, isFork: env.FORK !== undefined, memory, nowMs: Date.now },
        evaluationComplexity: settings.limits.evaluationComplexity,
      }),
      expressions: new CompiledExpressions(memory),
      scripts: new CompiledScripts(memory),
      responseCache: new ResponseCache(memory),
      memory,
      requests: new RequestRecorder(requestLogOf(env), Date.now),
      unknownIds: new UnknownIds(),
      broadcastBatcher: new BroadcastBatcher(),
      exceededBudgets: new ExceededBudgets(Date.now),
      scriptScheduler: new ScriptScheduler(Date.now),
      readerWakes: new ReaderWakes(),
    };
  } catch (error) {
    if (!(error instanceof NetworkSettingsError)) throw error;
    // biome-ignore lint/suspicious/noConsole: the operator's log; the sentence shows no secret
    console.error(error.message);
    return error;
  }
}

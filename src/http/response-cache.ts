/**
 * Response cache around the router: a response that is still valid is sent again without any work. Its validity follows
 * from its route (`dependsOn`) and its freshness. A response that shows the chain is valid for its state only, which is
 * compared with the newest known one.
 */
import { type IsolateMemory, type MemoryRegion, textBytes } from "../platform/isolate-memory.ts";
import { type Chain, type ChainName, hasSameFinal, isOlderThan, isSameState, stateTag } from "../read-model/chain.ts";
import type { SeenState } from "../read-model/latest-state.ts";
import type { RouteName } from "./request-work.ts";
import type { Written } from "./respond.ts";
import type { AnyRouteInfo, Dependence } from "./route.ts";
import type { Freshness, RouteResponse } from "./route-response.ts";

/** Validity of a response. */
type Lifetime =
  | { readonly kind: "constant" }
  | { readonly kind: "state"; readonly tag: string }
  | { readonly kind: "height"; readonly chain: ChainName & Pick<Chain, "height" | "finalizedHeight"> }
  | { readonly kind: "final"; readonly chain: ChainName };

export interface CachedResponse {
  /** Route of the response. */
  readonly route: RouteName;
  readonly written: Written;
  readonly lifetime: Lifetime;
  /**
   * PERF: headers of a response to a client without an origin, with the state that they name. They are made once per
   * state, since making them costs a fifth of a request.
   */
  plainHeaders?: { readonly state: SeenState | undefined; readonly headers: Headers };
}

export class ResponseCache {
  readonly #responses: MemoryRegion<CachedResponse>;
  /** Newest state that a response has shown. */
  #newest: Chain | undefined;

  constructor(memory: IsolateMemory) {
    this.#responses = memory.region("answer", ({ written }) => sizeBytes(written));
  }

  /** @param key as `keyOf` */
  find(key: string): CachedResponse | undefined {
    return this.#responses.find(key);
  }

  /**
   * Stores a response if it may be sent again, and drops outdated ones. @param chain state that the response shows;
   * undefined if it shows none
   * @returns the same response, ready to be sent
   */
  store(
    key: string,
    response: RouteResponse,
    written: Written,
    {
      route,
      chain,
    }: { readonly route: RouteName & Pick<AnyRouteInfo, "dependsOn">; readonly chain: Chain | undefined },
  ): Written {
    if (!("freshness" in response) || typeof written.body !== "string") return written;
    const lifetime = lifetimeOf(response.freshness, route.dependsOn, chain);
    if (lifetime === undefined) return written;
    if (chain !== undefined) this.#see(chain);
    const ready = { ...written, body: encoder.encode(written.body) };
    this.#responses.store(key, { route, written: ready, lifetime });
    return ready;
  }

  /** Drops responses of past states: no request can match them again, and they would fill the memory. */
  #see(chain: Chain): void {
    const newest = this.#newest;
    if (newest !== undefined && (isSameState(newest, chain) || isOlderThan(chain, newest))) return;
    this.#newest = chain;
    this.#responses.dropAll((response) => !isFresh(response, chain));
  }
}

/** Key of equal requests: headers other than Accept do not change a response, they only add headers to it. */
export function keyOf(url: string, accept: string | null, body = ""): string {
  return `${accept ?? ""}\n${url}\n${body}`;
}

/** Whether the response is still valid. @param chain newest state; undefined if unknown */
export function isFresh({ lifetime }: CachedResponse, chain: Chain | undefined): boolean {
  if (chain === undefined) return lifetime.kind === "constant";
  switch (lifetime.kind) {
    case "constant":
      return true;
    case "state":
      return lifetime.tag === stateTag(chain);
    case "height":
      return (
        lifetime.chain.height === chain.height &&
        lifetime.chain.finalizedHeight === chain.finalizedHeight &&
        hasSameFinal(lifetime.chain, chain)
      );
    case "final":
      return hasSameFinal(lifetime.chain, chain);
  }
}

const encoder = new TextEncoder();

/** Returns the validity of a response; undefined: it is not stored. */
function lifetimeOf(freshness: Freshness, dependsOn: Dependence, chain: Chain | undefined): Lifetime | undefined {
  const kind = lifetimes[dependsOn];
  if (kind === "constant") return freshness.kind === "constant" ? { kind } : undefined;
  if (chain === undefined || kind === undefined) return undefined;
  const { identity, epoch, height, finalizedHeight } = chain;
  if (freshness.kind === "final" && kind === "final") return { kind, chain: { identity, epoch } };
  if (freshness.kind !== "state" || freshness.isTimed === true) return undefined;
  if (kind === "height") return { kind, chain: { identity, epoch, height, finalizedHeight } };
  return { kind: "state", tag: stateTag(chain) };
}

const lifetimes = {
  request: "constant",
  tip: "state",
  height: "height",
  final: "final",
  pool: undefined,
  node: undefined,
  clock: undefined,
  chance: undefined,
} as const satisfies Record<Dependence, Lifetime["kind"] | undefined>;

function sizeBytes({ body, headers, entityTag = "" }: Written): number {
  const ownBytes = body instanceof Uint8Array ? body.length : 0;
  return Object.entries(headers).reduce(
    (sum, [name, value]) => sum + textBytes(name + value),
    ownBytes + textBytes(entityTag),
  );
}

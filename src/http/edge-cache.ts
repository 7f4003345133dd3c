/**
 * Answers as they were written, kept around the router: one that still holds is sent again without any work. Until when it
 * holds follows from its row (`dependsOn`) and its freshness; one that shows the chain holds for its state alone, which the
 * newest known one is compared with.
 */
import { type IsolateMemory, type MemoryRegion, textBytes } from "../platform/isolate-memory.ts";
import { type Chain, type ChainName, hasSameFinal, isBehind, isSameState, stateTag } from "../read-model/chain.ts";
import type { SeenState } from "../read-model/latest-state.ts";
import type { Freshness, Reply } from "./reply.ts";
import type { RouteName } from "./request-work.ts";
import type { Written } from "./respond.ts";
import type { Dependence, SettledFacts } from "./route.ts";

/** As long as what an answer holds. */
type Lifetime =
  | { readonly kind: "constant" }
  | { readonly kind: "state"; readonly tag: string }
  | { readonly kind: "height"; readonly chain: ChainName & Pick<Chain, "height" | "finalizedHeight"> }
  | { readonly kind: "final"; readonly chain: ChainName };

export interface KeptAnswer {
  /** The row that gave it. */
  readonly route: RouteName;
  readonly written: Written;
  readonly lifetime: Lifetime;
  /**
   * PERF: headers of a response to a client without an origin, and the state that they tell of: made once a state, since
   * making them costs a fifth of a request.
   */
  plainHeaders?: { readonly state: SeenState | undefined; readonly headers: Headers };
}

export class EdgeCache {
  readonly #answers: MemoryRegion<KeptAnswer>;
  /** The newest state that an answer has shown. */
  #newest: Chain | undefined;

  constructor(memory: IsolateMemory) {
    this.#answers = memory.region("answer", ({ written }) => sizeBytes(written));
  }

  /** @param key as `keyOf` */
  find(key: string): KeptAnswer | undefined {
    return this.#answers.find(key);
  }

  /**
   * Keeps what may be sent again, and drops what no longer may. @param chain the state that the answer shows; undefined where it shows none
   * @returns the same, ready to be sent
   */
  keep(
    key: string,
    reply: Reply,
    written: Written,
    { row, chain }: { readonly row: RouteName & Pick<SettledFacts, "dependsOn">; readonly chain: Chain | undefined },
  ): Written {
    if (!("freshness" in reply) || typeof written.body !== "string") return written;
    const lifetime = lifetimeOf(reply.freshness, row.dependsOn, chain);
    if (lifetime === undefined) return written;
    if (chain !== undefined) this.#see(chain);
    const ready = { ...written, body: encoder.encode(written.body) };
    this.#answers.keep(key, { route: row, written: ready, lifetime });
    return ready;
  }

  /** Answers about a state that has passed are never asked for again: they would wait until the memory is full. */
  #see(chain: Chain): void {
    const newest = this.#newest;
    if (newest !== undefined && (isSameState(newest, chain) || isBehind(chain, newest))) return;
    this.#newest = chain;
    this.#answers.dropAll((kept) => !holds(kept, chain));
  }
}

/** What makes two requests ask the same: headers but this one do not change what an answer says, only what is added to it. */
export function keyOf(url: string, accept: string | null, body = ""): string {
  return `${accept ?? ""}\n${url}\n${body}`;
}

/** Whether the answer is still right. @param chain the newest state; undefined: nobody knows it */
export function holds({ lifetime }: KeptAnswer, chain: Chain | undefined): boolean {
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

/** undefined: the answer is not kept. */
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

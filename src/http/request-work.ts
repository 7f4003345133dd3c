/** Resources used by a request so far, recorded after its response. */
import type { AnyRouteInfo } from "./route.ts";

/**
 * Source of a response: the farthest one that was used.
 * - `kept`: the whole response, from this isolate's memory
 * - `memory`: a final object, from this isolate's memory
 * - `cache`: a final object, from the data center's cache
 * - `kv`: a final object, from KV
 * - `d1`: the read model
 * - `peerHub`: the object that owns the connections
 * - `chainState`: the object that owns the chain
 * - `none`: none; the response follows from the request, or is a refusal
 */
export const tiers = ["kept", "memory", "cache", "kv", "d1", "peerHub", "chainState", "none"] as const;
export type Tier = (typeof tiers)[number];

/** Name of a route: never the URL, which may hold anything. */
export type RouteName = Pick<AnyRouteInfo, "method" | "path">;

export class RequestWork {
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** Route of the response; undefined if no route took the request. */
  route: RouteName | undefined;
  /** Whether the response cache had the response; undefined if it was not looked for. */
  cacheResult: "hit" | "miss" | undefined;
  /** Batches of statements, each a round trip. */
  d1Batches = 0;
  d1RowsRead = 0;
  kvReads = 0;
  /** Final objects written to KV. */
  kvWrites = 0;
  /** Calls made by this request, possibly on behalf of others as well. */
  chainStateCalls = 0;
  callsPeerHub = false;
  /** Whether it used a call to ChainState made by this or another request for several. */
  sharesCall = false;
  /** A final object that KV gets once another host reads it. */
  awaitsReader = false;
  /** Whether it used a D1 batch made by this or another request for several. */
  #sharesBatch = false;
  #found: "memory" | "cache" | "kv" | undefined;

  constructor(startedMs: number) {
    this.startedMs = startedMs;
  }

  get tier(): Tier {
    if (this.cacheResult === "hit") return "kept";
    if (this.chainStateCalls > 0 || this.sharesCall) return "chainState";
    if (this.callsPeerHub) return "peerHub";
    if (this.d1Batches > 0 || this.#sharesBatch) return "d1";
    return this.#found ?? "none";
  }

  /** Counts a batch of D1. */
  readD1(rowsRead: number): void {
    this.d1Batches++;
    this.d1RowsRead += rowsRead;
  }

  /** Counts a query in a shared D1 batch. @param batches 1 if the batch counts as this request's, else 0 */
  readInBatch({ rowsRead, batches }: { readonly rowsRead: number; readonly batches: number }): void {
    this.#sharesBatch = true;
    this.d1Batches += batches;
    this.d1RowsRead += rowsRead;
  }

  /** Counts a lookup of a final object. @param place source of the object; undefined: not even KV had it */
  readFinal(place: "memory" | "cache" | "kv" | undefined): void {
    if (place === "kv" || place === undefined) this.kvReads++;
    this.#found = place ?? this.#found;
  }
}

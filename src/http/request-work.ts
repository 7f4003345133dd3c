/** What a request has taken so far: gathered on its way, told when it is answered. */
import type { SettledFacts } from "./route.ts";

/**
 * Where an answer came from: the farthest place that was asked for it.
 *
 * - `kept`: the whole answer, from this isolate's memory
 * - `memory`: an object that is final, from this isolate's memory
 * - `cache`: the same, from the cache of the data centre
 * - `kv`: an object that is final, from KV
 * - `d1`: the read model
 * - `peerHub`: the object that speaks with other nodes
 * - `chainState`: the one object that owns the chain
 * - `none`: nowhere; the answer follows from the request, or is a refusal
 */
export const tiers = ["kept", "memory", "cache", "kv", "d1", "peerHub", "chainState", "none"] as const;
export type Tier = (typeof tiers)[number];

/** A row as it is named: never the URL, which may hold anything. */
export type RouteName = Pick<SettledFacts, "method" | "path">;

export class RequestWork {
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** The row that answered; undefined where none took the request. */
  route: RouteName | undefined;
  /** Whether the whole answer was in memory; undefined where it was not looked for. */
  kept: "hit" | "miss" | undefined;
  /** Batches of statements: each is a round trip. */
  d1Batches = 0;
  d1RowsRead = 0;
  kvReads = 0;
  /** Objects that were found to be final, and are kept there. */
  kvWrites = 0;
  /** Made by this request, maybe for others as well. */
  chainStateCalls = 0;
  asksPeerHub = false;
  /** ChainState is asked in a call that this request, or another one, makes for several. */
  sharesCall = false;
  /** D1 is asked in a batch that this request, or another one, makes for several. */
  #sharesBatch = false;
  #found: "memory" | "cache" | "kv" | undefined;

  constructor(startedMs: number) {
    this.startedMs = startedMs;
  }

  get tier(): Tier {
    if (this.kept === "hit") return "kept";
    if (this.chainStateCalls > 0 || this.sharesCall) return "chainState";
    if (this.asksPeerHub) return "peerHub";
    if (this.d1Batches > 0 || this.#sharesBatch) return "d1";
    return this.#found ?? "none";
  }

  /** A batch that D1 has answered. */
  readD1(rowsRead: number): void {
    this.d1Batches++;
    this.d1RowsRead += rowsRead;
  }

  /** A question in a batch of several that D1 has answered. @param batches 1 where the batch counts as this request's, else 0 */
  readTogether({ rowsRead, batches }: { readonly rowsRead: number; readonly batches: number }): void {
    this.#sharesBatch = true;
    this.d1Batches += batches;
    this.d1RowsRead += rowsRead;
  }

  /** An object that is final was looked for. @param place where it was found; undefined: nowhere, and KV was asked last */
  readFinal(place: "memory" | "cache" | "kv" | undefined): void {
    if (place === "kv" || place === undefined) this.kvReads++;
    this.#found = place ?? this.#found;
  }
}

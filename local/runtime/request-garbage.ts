/**
 * Garbage collection in isolates with little work: the simulators of D1, KV and the Cache API, and the operator's
 * Worker. A request takes memory outside of V8's heap, twice the size of its body. The runtime frees it when V8
 * collects the few small objects that refer to it. Such an isolate creates too few of them to trigger a collection: an
 * import, which goes through D1 as a whole, would stay in memory until the process ends. The node's own isolate
 * collects by itself.
 */

/** Memory of a request besides its body, and of its response. */
const REQUEST_BYTES = 40_000;
/**
 * Limit that triggers a collection: two batches of the publisher, or four hundred small requests. A collection takes a
 * few milliseconds.
 */
const MAX_UNCOLLECTED_BYTES = 16_000_000;

/** V8 flag that lets Workers start a collection. */
export const collectorFlag = "--expose-gc";

/** Memory of the requests since the last collection; one object for each isolate. */
export class RequestGarbage {
  readonly #collect: () => void;
  #uncollectedBytes = 0;

  /** @param collect runs a garbage collection */
  constructor(collect: (() => void) | undefined = globalThis.gc) {
    if (collect === undefined) throw new Error(`The runtime was started without ${collectorFlag}.`);
    this.#collect = collect;
  }

  /**
   * To be called for each request before it is read: collects the garbage of earlier ones once it exceeds the limit.
   */
  add(request: Pick<Request, "headers">): void {
    if (this.#uncollectedBytes > MAX_UNCOLLECTED_BYTES) {
      this.#collect();
      this.#uncollectedBytes = 0;
    }
    this.#uncollectedBytes += REQUEST_BYTES + 2 * Number(request.headers.get("content-length") ?? 0);
  }
}

/**
 * Memory of isolates that do little: the simulators of D1, KV and the Cache API, and the operator's. What a request takes outside of V8's
 * heap, its body twice over, the runtime gives back when V8 collects the few small objects that stand for it. Of these such an
 * isolate does not make enough to begin a collection: an import, which goes through D1 as a whole, would stay in memory until the
 * process ends. The node's own isolate collects by itself.
 */

/** Held by a request beside its body, and by its answer. */
const REQUEST_BYTES = 40_000;
/** Beyond that it is collected: two batches of the publisher, or four hundred small questions. A collection takes a few milliseconds. */
const HELD_BYTES = 16_000_000;

/** V8's flag that lets Workers collect. */
export const collectorFlag = "--expose-gc";

/** What the requests since the last collection hold; one for each isolate. */
export class RequestGarbage {
  readonly #collect: () => void;
  #heldBytes = 0;

  /** @param collect throws away all that nothing refers to */
  constructor(collect: (() => void) | undefined = globalThis.gc) {
    if (collect === undefined) throw new Error(`The runtime was started without ${collectorFlag}.`);
    this.#collect = collect;
  }

  /** To be called with each request, before it is read: collects what those before it have left, once it is much. */
  add(request: Pick<Request, "headers">): void {
    if (this.#heldBytes > HELD_BYTES) {
      this.#collect();
      this.#heldBytes = 0;
    }
    this.#heldBytes += REQUEST_BYTES + 2 * Number(request.headers.get("content-length") ?? 0);
  }
}

/**
 * Batches submissions to the pool: transactions that arrive during a call of ChainState wait for its end, and join the
 * next one. So many transactions share the cost of a call of the single object, and a transaction without company does
 * not wait. Requests of an isolate thus wait for calls made by others. The runtime ends all work of a request when its
 * client disconnects, and work after a promise belongs to the request that created the promise; so
 * - each request waits for a promise of its own;
 * - a call is work that continues after its request's response (`waitUntil`), also if the client disconnects;
 * - a request without a result for long submits again by itself: a repeated submission does no harm.
 */
import type { BroadcastAnswer, OfferAnswer, PoolOffer, PoolRpc } from "../env.ts";
import { WorkExceeded } from "../platform/refused-work.ts";
import type { ScriptTurn } from "../platform/script-scheduler.ts";
import { ChainUnavailable } from "./chain-calls.ts";

/** Limits of one call: ChainState does nothing else meanwhile, and a message has at most 32 MB. */
const MAX_OFFERS = 64;
const MAX_BYTES = 1_000_000;
/** How long a request also makes calls for others; below the runtime's limit for work after a response, 30 s. */
const LEADS_MS = 1_000;
/** How long a request waits for a call made by another one. Its client waits twice as long (`time-limit.ts`). */
const PATIENCE_MS = 10_000;
/** Minimum cost of a call that did not process all of its transactions (`UtxPool.addAll`). */
const DEAR_COMPLEXITY = 50_000;

/** The submitting request. */
export interface OfferingRequest {
  readonly pool: Pick<PoolRpc, "broadcastAll">;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly nowMs: () => number;
  /** Scheduler slot. Locally ChainState's scripts hold the thread that reads need; undefined: nothing has priority. */
  readonly turn?: ScriptTurn | undefined;
}

/** Result of ChainState, or the error of the call. */
type Outcome = { readonly answer: OfferAnswer } | { readonly error: unknown };

/** Successive calls made by one request. */
type Run = object;

interface Waiting {
  readonly offer: PoolOffer;
  sinceMs: number;
  /** Run that has taken it into a call. */
  run?: Run | undefined;
  outcome?: Outcome;
  /** Lets the request look again. */
  wake: () => void;
}

export class PoolOffers {
  /** In order of arrival. */
  #waiting: Waiting[] = [];
  /** The run in progress. */
  #run: Run | undefined;
  /** Whether the last call left some transactions for later, because of its cost. */
  #wasDear = false;

  /** @throws ChainUnavailable, WorkExceeded */
  async offer(offer: PoolOffer, request: OfferingRequest): Promise<BroadcastAnswer> {
    const waiting: Waiting = { offer, sinceMs: request.nowMs(), wake: () => {} };
    this.#waiting.push(waiting);
    const outcome = await this.#outcomeOf(waiting, request);
    if ("error" in outcome) throw outcome.error;
    const { answer } = outcome;
    if (answer === "failed") throw new ChainUnavailable("ChainState could not judge a transaction");
    if ("exceeded" in answer) throw new WorkExceeded(answer.exceeded, answer.retryAfterMs);
    return answer;
  }

  async #outcomeOf(waiting: Waiting, request: OfferingRequest): Promise<Outcome> {
    while (waiting.outcome === undefined) {
      const run = this.#run;
      if (run === undefined) {
        const woken = new Promise<void>((resolve) => {
          waiting.wake = resolve;
        });
        request.waitUntil(this.#begin(request));
        await woken;
      } else if (!(await isWoken(waiting))) {
        this.#giveUp(run, waiting, request.nowMs());
      }
    }
    return waiting.outcome;
  }

  /** The leading request was cancelled: releases its entries so that another request can lead. */
  #giveUp(run: Run, waiting: Waiting, nowMs: number): void {
    if (this.#run === run) this.#run = undefined;
    if (waiting.run !== run) return;
    waiting.run = undefined;
    waiting.sinceMs = nowMs;
    this.#waiting.push(waiting);
  }

  /** Makes calls until no submission waits, or until other requests must take over. Never rejects. */
  async #begin({ pool, nowMs, turn }: OfferingRequest): Promise<void> {
    const run: Run = {};
    this.#run = run;
    const endMs = nowMs() + LEADS_MS;
    do {
      if (this.#wasDear) await turn?.begin();
      this.#wasDear = false;
      const taken = this.#take(run, nowMs());
      if (taken.length === 0) break;
      try {
        const results = await pool.broadcastAll(taken.map(({ offer }) => offer));
        if (results.length === 0) throw new ChainUnavailable("ChainState answered to no offer");
        taken.forEach((waiting, index) => {
          const result = results[index];
          if (result !== undefined) settle(waiting, { answer: result });
        });
        this.#wasDear = results.length < taken.length;
        if (this.#wasDear) turn?.spent(DEAR_COMPLEXITY);
        this.#waiting.unshift(...taken.slice(results.length).filter((waiting) => waiting.run === run));
      } catch (error) {
        for (const waiting of taken) settle(waiting, { error });
      }
      // Other requests timed out, and one of them has started a new run.
      if (this.#run !== run) return;
    } while (this.#waiting.length > 0 && nowMs() < endMs);
    this.#run = undefined;
    // The first request that is still there makes the next call.
    for (const { wake } of this.#waiting) wake();
  }

  /** Takes the first waiting submissions: at least one, if there is any. */
  #take(run: Run, nowMs: number): Waiting[] {
    // A client that waited longer already got another response.
    const waiting = this.#waiting.filter(
      ({ outcome, sinceMs }) => outcome === undefined && nowMs - sinceMs < 2 * PATIENCE_MS,
    );
    let count = 0;
    for (let bytes = 0; count < waiting.length && count < MAX_OFFERS; count++) {
      bytes += waiting[count]?.offer.signedTransaction.length ?? 0;
      if (bytes > MAX_BYTES && count > 0) break;
    }
    this.#waiting = waiting.slice(count);
    const taken = waiting.slice(0, count);
    for (const each of taken) each.run = run;
    return taken;
  }
}

function settle(waiting: Waiting, outcome: Outcome): void {
  waiting.outcome = outcome;
  waiting.wake();
}

/** False: it took too long. */
async function isWoken(waiting: Waiting): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isInTime = await new Promise<boolean>((resolve) => {
    waiting.wake = () => resolve(true);
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  // Not where it is woken: that is the work of another request, which has its own timers.
  clearTimeout(timer);
  return isInTime;
}

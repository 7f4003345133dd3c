/**
 * Offers to the pool go together: what comes while a call of ChainState is under way waits for its end, and is taken along by
 * the next one. So a call costs the one object there is once for many transactions, and nobody waits who is alone.
 *
 * Requests of an isolate thus wait for calls that others have made. The runtime ends whatever belongs to a request when its
 * client goes away, and what goes on behind a promise belongs to the request that made the promise; so
 * - each waits for a promise of its own;
 * - a call is work that goes on after its request's answer (`waitUntil`), also after its client is gone;
 * - a request that hears of nothing for long asks again by itself: being offered twice does no harm.
 */
import type { BroadcastAnswer, OfferAnswer, PoolOffer, PoolRpc } from "../env.ts";
import { WorkExceeded } from "../platform/refused-work.ts";
import type { ScriptTurn } from "../platform/work-turns.ts";
import { ChainUnavailable } from "./chain-calls.ts";

/** What one call takes along: ChainState does nothing else until it is through, and a message has 32 MB at most. */
const MAX_OFFERS = 64;
const MAX_BYTES = 1_000_000;
/** How long a request makes calls for others as well; below what the runtime gives to work behind an answer, 30 s. */
const LEADS_MS = 1_000;
/** How long a request waits for a call that another one has made. Its client waits twice as long (`time-limit.ts`). */
const PATIENCE_MS = 10_000;
/** What a call has cost at least which did not come to all that it took along (`UtxPool.addAll`). */
const DEAR_COMPLEXITY = 50_000;

/** The request that offers. */
export interface OfferingRequest {
  readonly pool: Pick<PoolRpc, "broadcastAll">;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly nowMs: () => number;
  /** On one machine ChainState's scripts hold the thread that reads need; undefined: nothing goes before them. */
  readonly turn?: ScriptTurn | undefined;
}

/** What ChainState, or the lack of an answer, came to. */
type Outcome = { readonly answer: OfferAnswer } | { readonly error: unknown };

/** Calls that one request makes, one after the other. */
type Run = object;

interface Waiting {
  readonly offer: PoolOffer;
  sinceMs: number;
  /** Which one has taken it along. */
  run?: Run | undefined;
  outcome?: Outcome;
  /** Lets the request look again. */
  wake: () => void;
}

export class PoolOffers {
  /** In the order in which they came. */
  #waiting: Waiting[] = [];
  /** What is under way. */
  #run: Run | undefined;
  /** The last call left some for later, because of what it cost. */
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

  /** Whoever makes the calls is no more: others may, and what one of them took along waits again. */
  #giveUp(run: Run, waiting: Waiting, nowMs: number): void {
    if (this.#run === run) this.#run = undefined;
    if (waiting.run !== run) return;
    waiting.run = undefined;
    waiting.sinceMs = nowMs;
    this.#waiting.push(waiting);
  }

  /** Makes calls until nobody waits, or it is for others to make them. Never rejects. */
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
        const answers = await pool.broadcastAll(taken.map(({ offer }) => offer));
        if (answers.length === 0) throw new ChainUnavailable("ChainState answered to no offer");
        taken.forEach((waiting, index) => {
          const answer = answers[index];
          if (answer !== undefined) settle(waiting, { answer });
        });
        this.#wasDear = answers.length < taken.length;
        if (this.#wasDear) turn?.spent(DEAR_COMPLEXITY);
        this.#waiting.unshift(...taken.slice(answers.length).filter((waiting) => waiting.run === run));
      } catch (error) {
        for (const waiting of taken) settle(waiting, { error });
      }
      // Others did not wait any longer, and one of them has begun anew.
      if (this.#run !== run) return;
    } while (this.#waiting.length > 0 && nowMs() < endMs);
    this.#run = undefined;
    // The first whose request is still there makes the next call.
    for (const { wake } of this.#waiting) wake();
  }

  /** The first of those that wait: at least one, if there is any. */
  #take(run: Run, nowMs: number): Waiting[] {
    // Whose client could not wait any longer has got another answer.
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
  // Here, and not where it is woken: that is another request's work, whose timers are others.
  clearTimeout(timer);
  return isInTime;
}

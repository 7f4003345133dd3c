/**
 * Batches submissions to the pool: transactions that arrive during a call of ChainState wait for its end, and join the
 * next one. So many transactions share the cost of a call of the single object, and a transaction without company does
 * not wait. Requests of an isolate thus wait for calls made by others. The runtime ends all work of a request when its
 * client disconnects, and work after a promise belongs to the request that created the promise; so
 * - each request waits for a promise of its own;
 * - a call is work that continues after its request's response (`waitUntil`), also if the client disconnects;
 * - a request without a result for long submits again by itself: a repeated submission does no harm.
 */
import type { BroadcastResult, PoolRpc, PoolSubmission, SubmissionResult } from "../env.ts";
import { WorkExceeded } from "../platform/refused-work.ts";
import type { ScriptSlot } from "../platform/script-scheduler.ts";
import { ChainUnavailable } from "./chain-calls.ts";

/** Limits of one call: ChainState does nothing else meanwhile, and a message has at most 32 MB. */
const MAX_SUBMISSIONS = 64;
const MAX_BYTES = 1_000_000;
/** How long a request also makes calls for others; below the runtime's limit for work after a response, 30 s. */
const MAX_LEADER_MS = 1_000;
/** How long a request waits for a call made by another one. Its client waits twice as long (`time-limit.ts`). */
const WAIT_TIMEOUT_MS = 10_000;
/** Minimum cost of a call that did not process all of its transactions (`UtxPool.addAll`). */
const EXPENSIVE_COMPLEXITY = 50_000;

/** The submitting request. */
export interface SubmissionContext {
  readonly pool: Pick<PoolRpc, "broadcastAll">;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly nowMs: () => number;
  /** Scheduler slot. Locally ChainState's scripts hold the thread that reads need; undefined: nothing has priority. */
  readonly slot?: ScriptSlot | undefined;
}

/** Result of ChainState, or the error of the call. */
type CallResult = { readonly result: SubmissionResult } | { readonly error: unknown };

/** Successive calls made by one request. */
type BatchRun = object;

interface PendingSubmission {
  readonly submission: PoolSubmission;
  sinceMs: number;
  /** Run that has taken it into a call. */
  run?: BatchRun | undefined;
  result?: CallResult;
  /** Lets the request look again. */
  wake: () => void;
}

export class BroadcastBatcher {
  /** In order of arrival. */
  #waiting: PendingSubmission[] = [];
  /** The run in progress. */
  #run: BatchRun | undefined;
  /** Whether the last call left some transactions for later, because of its cost. */
  #wasExpensive = false;

  /** @throws ChainUnavailable, WorkExceeded */
  async submit(submission: PoolSubmission, request: SubmissionContext): Promise<BroadcastResult> {
    const waiting: PendingSubmission = { submission, sinceMs: request.nowMs(), wake: () => {} };
    this.#waiting.push(waiting);
    const outcome = await this.#resultOf(waiting, request);
    if ("error" in outcome) throw outcome.error;
    const { result } = outcome;
    if (result === "failed") throw new ChainUnavailable("ChainState could not judge a transaction");
    if ("exceeded" in result) throw new WorkExceeded(result.exceeded, result.retryAfterMs);
    return result;
  }

  async #resultOf(waiting: PendingSubmission, request: SubmissionContext): Promise<CallResult> {
    while (waiting.result === undefined) {
      const run = this.#run;
      if (run === undefined) {
        const woken = new Promise<void>((resolve) => {
          waiting.wake = resolve;
        });
        request.waitUntil(this.#runBatches(request));
        await woken;
      } else if (!(await isWoken(waiting))) {
        this.#release(run, waiting, request.nowMs());
      }
    }
    return waiting.result;
  }

  /** The leading request was cancelled: releases its entries so that another request can lead. */
  #release(run: BatchRun, waiting: PendingSubmission, nowMs: number): void {
    if (this.#run === run) this.#run = undefined;
    if (waiting.run !== run) return;
    waiting.run = undefined;
    waiting.sinceMs = nowMs;
    this.#waiting.push(waiting);
  }

  /** Makes calls until no submission waits, or until other requests must take over. Never rejects. */
  async #runBatches({ pool, nowMs, slot }: SubmissionContext): Promise<void> {
    const run: BatchRun = {};
    this.#run = run;
    const endMs = nowMs() + MAX_LEADER_MS;
    do {
      if (this.#wasExpensive) await slot?.begin();
      this.#wasExpensive = false;
      const taken = this.#takeBatch(run, nowMs());
      if (taken.length === 0) break;
      try {
        const results = await pool.broadcastAll(taken.map(({ submission }) => submission));
        if (results.length === 0) throw new ChainUnavailable("ChainState answered to no offer");
        taken.forEach((waiting, index) => {
          const result = results[index];
          if (result !== undefined) settle(waiting, { result });
        });
        this.#wasExpensive = results.length < taken.length;
        if (this.#wasExpensive) slot?.spent(EXPENSIVE_COMPLEXITY);
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
  #takeBatch(run: BatchRun, nowMs: number): PendingSubmission[] {
    // A client that waited longer already got another response.
    const waiting = this.#waiting.filter(
      ({ result, sinceMs }) => result === undefined && nowMs - sinceMs < 2 * WAIT_TIMEOUT_MS,
    );
    let count = 0;
    for (let bytes = 0; count < waiting.length && count < MAX_SUBMISSIONS; count++) {
      bytes += waiting[count]?.submission.signedTransaction.length ?? 0;
      if (bytes > MAX_BYTES && count > 0) break;
    }
    this.#waiting = waiting.slice(count);
    const taken = waiting.slice(0, count);
    for (const each of taken) each.run = run;
    return taken;
  }
}

function settle(waiting: PendingSubmission, result: CallResult): void {
  waiting.result = result;
  waiting.wake();
}

/** False: it took too long. */
async function isWoken(waiting: PendingSubmission): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isInTime = await new Promise<boolean>((resolve) => {
    waiting.wake = () => resolve(true);
    timer = setTimeout(() => resolve(false), WAIT_TIMEOUT_MS);
  });
  // Not where it is woken: that is the work of another request, which has its own timers.
  clearTimeout(timer);
  return isInTime;
}

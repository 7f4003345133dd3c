/**
 * Batches point queries of concurrent requests: queries that arrive while a batch is in progress wait for its end, and
 * join the next one. Most of the cost of such a query in D1 is the call and the row of `chain`; a batch shares both. A
 * query without company does not wait.
 *
 * Each query runs after the arrival of its request, and all queries of a batch see one state. If a batch fails, each
 * request queries alone, so that an error affects only the request that caused it.
 *
 * Like in `routes/pool-offers.ts`, requests wait for batches that others run. So each request waits for a promise of its
 * own, and batches continue after the response of the request that runs them. The runtime ends a request as hung if it
 * waits for nothing of its own: so each wait has a timer.
 */
import type { BlockchainSettings } from "../network/settings.ts";
import { type Chain, readableChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import { type Database, preparedOn, type Session, sessionOf } from "./database.ts";
import type { LatestState } from "./latest-state.ts";
import { type FoundPoint, pointBatch } from "./point-batch.ts";
import type { Query } from "./query.ts";
import { unanswered } from "./read-model-unavailable.ts";

/** Maximum of queries in a batch: a result may be as large as a row, and D1 does nothing else meanwhile. */
const MAX_QUESTIONS = 32;
/** Maximum of waiting queries: further requests query alone. */
const MAX_WAITING = 1_000;
/** Maximum of queries that one request runs for others, of the 1,000 that D1 allows it (docs/limits.md). */
const LEADS_QUESTIONS = 500;
/** How long a request also runs batches for others; below the runtime's limit for work after a response, 30 s. */
const LEADS_MS = 1_000;
/**
 * After this time a batch without a result counts as lost, and the next request to look runs it again. It is also the
 * longest wait between two looks.
 */
const PATIENCE_MS = 2_000;

export interface PointsTogetherFacts {
  /** Whether the database may have copies; queries then start from the isolate's newest bookmark. */
  readonly hasCopies: boolean;
  /**
   * Maximum of concurrent batches. More than one pays off if the database is far away: then most of the time is the
   * wait for a response, and not work of the database.
   */
  readonly flights: number;
  /** Settings of the expected chain. */
  readonly settings: Pick<BlockchainSettings, "genesis">;
  /** Gets the state of each reading. */
  readonly latest: LatestState;
  readonly nowMs: () => number;
}

/** The request that runs a query. */
export interface AskingRequest {
  readonly database: Database;
  /** Continues work after the response, also if the client disconnects. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** State that all queries of a batch share. */
interface Landed {
  /** State that the results show. */
  readonly chain: Chain;
  /** Bookmark, if the database has copies: a later read from it sees no earlier state. */
  readonly bookmark: string | undefined;
}

export interface PointAnswer<Value> extends Landed, Omit<FoundPoint, "value"> {
  readonly value: Value;
}

type Outcome =
  | ({ readonly kind: "found" } & Landed & FoundPoint)
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "alone" };

interface Waiting {
  readonly question: Query<unknown>;
  outcome?: Outcome;
  /** Lets the request look again. */
  wake: () => void;
}

/** Successive batches run by one request. */
interface Flight {
  askedAtMs: number;
  /** Queries of the current batch. */
  asked: readonly Waiting[];
}

export class PointsTogether {
  readonly #facts: PointsTogetherFacts;
  /** Waiting queries in order of arrival. */
  #waiting: Waiting[] = [];
  /** Runs in progress. */
  readonly #flights = new Set<Flight>();

  constructor(options: PointsTogetherFacts) {
    this.#facts = options;
  }

  /**
   * @returns undefined: the query failed in a batch, and the caller must run it alone
   * @throws ReadModelUnavailable if the tables show no state
   */
  async ask<Value>(question: Query<Value>, request: AskingRequest): Promise<PointAnswer<Value> | undefined> {
    if (this.#waiting.length >= MAX_WAITING) return undefined;
    const waiting: Waiting = { question, wake: () => {} };
    this.#waiting.push(waiting);
    while (waiting.outcome === undefined) {
      const woken = new Promise<void>((resolve) => {
        waiting.wake = resolve;
      });
      // If the batch is lost and no request follows, only this timer looks again.
      const timer = setTimeout(waiting.wake, PATIENCE_MS);
      if (this.#mayTakeOff()) request.waitUntil(this.#fly(request));
      await woken;
      clearTimeout(timer);
    }
    const { outcome } = waiting;
    if (outcome.kind === "error") throw outcome.error;
    if (outcome.kind === "alone") return undefined;
    try {
      // The batch decodes with the query's own decoder.
      return { ...outcome, value: outcome.value() as Value };
    } catch {
      // The row of another query may be the cause.
      return undefined;
    }
  }

  #mayTakeOff(): boolean {
    const nowMs = this.#facts.nowMs();
    for (const flight of this.#flights) if (Math.abs(nowMs - flight.askedAtMs) >= PATIENCE_MS) this.#giveUp(flight);
    return this.#flights.size < this.#facts.flights;
  }

  /**
   * Releases the queries of a lost run, so that another request runs them: its request may be gone, or the database may
   * hang.
   */
  #giveUp(flight: Flight): void {
    this.#flights.delete(flight);
    this.#waiting.unshift(...flight.asked.filter(({ outcome }) => outcome === undefined));
    flight.asked = [];
  }

  /** Runs batches until no query waits, or until other requests must take over. Never rejects. */
  async #fly({ database }: AskingRequest): Promise<void> {
    const { nowMs } = this.#facts;
    const flight: Flight = { askedAtMs: nowMs(), asked: [] };
    this.#flights.add(flight);
    const endMs = flight.askedAtMs + LEADS_MS;
    for (let left = LEADS_QUESTIONS; left > 0 && this.#waiting.length > 0 && flight.askedAtMs < endMs; ) {
      const entries = this.#waiting.splice(0, Math.min(left, MAX_QUESTIONS));
      flight.asked = entries;
      left -= entries.length;
      const queries = entries.map(({ question }) => question);
      const outcomes = await this.#outcomesOf(queries, database);
      entries.forEach((waiting, index) => {
        waiting.outcome ??= outcomes[index] as Outcome;
        waiting.wake();
      });
      // The run was released, and another one has replaced it.
      if (!this.#flights.has(flight)) return;
      flight.askedAtMs = nowMs();
    }
    this.#flights.delete(flight);
    // The first request that is still there runs the next batch.
    for (const { wake } of this.#waiting) wake();
  }

  /** Runs one batch. @returns the result of each query, in their order. Never rejects. */
  async #outcomesOf(queries: readonly Query<unknown>[], database: Database): Promise<readonly Outcome[]> {
    const { hasCopies, latest, settings } = this.#facts;
    const newest = latest.newest?.bookmark;
    const batch = pointBatch(queries);
    const tell = latest.beginReading();
    let session: Session;
    let results: readonly D1Result<ResultRow>[];
    try {
      session = sessionOf(database, { hasCopies, from: newest ?? "first-unconstrained" });
      results = await session.batch<ResultRow>(preparedOn(session, batch.statements));
    } catch (cause) {
      // Another query may be the cause, or the bookmark.
      const isOwn = queries.length === 1 && newest === undefined;
      return queries.map(() => (isOwn ? { kind: "error", error: unanswered(cause) } : { kind: "alone" }));
    }
    try {
      const landed: Landed = {
        chain: readableChain(batch.chainRow(results), settings),
        bookmark: session.getBookmark?.() ?? undefined,
      };
      tell(landed);
      return batch.found(results).map((found) => ({ kind: "found", ...landed, ...found }));
    } catch (error) {
      return queries.map(() => ({ kind: "error", error }));
    }
  }
}

/**
 * Batches point queries of concurrent requests: queries that arrive while a batch is in progress wait for its end, and
 * join the next one. Most of the cost of such a query in D1 is the call and the row of `chain`; a batch shares both. A
 * query without company does not wait.
 *
 * Each query runs after the arrival of its request, and all queries of a batch see one state. If a batch fails, each
 * request queries alone, so that an error affects only the request that caused it.
 *
 * Like in `src/services/broadcast-batcher.ts`, requests wait for batches that others run. So each request waits for a
 * promise of its own, and batches continue after the response of the request that runs them. The runtime ends a request
 * as hung if it waits for nothing of its own: so each wait has a timer.
 */
import type { BlockchainSettings } from "../network/settings.ts";
import { type Chain, readableChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import { type Database, preparedOn, type Session, sessionOf } from "./database.ts";
import type { LatestState } from "./latest-state.ts";
import { type FoundPoint, pointBatch } from "./point-batch.ts";
import type { Query } from "./query.ts";
import { toReadModelUnavailable } from "./read-model-unavailable.ts";

/** Maximum of queries in a batch: a result may be as large as a row, and D1 does nothing else meanwhile. */
const MAX_BATCH_QUERIES = 32;
/** Maximum of waiting queries: further requests query alone. */
const MAX_WAITING = 1_000;
/** Maximum of queries that one request runs for others, of the 1,000 that D1 allows it (docs/limits.md). */
const MAX_LEADER_QUERIES = 500;
/** How long a request also runs batches for others; below the runtime's limit for work after a response, 30 s. */
const MAX_LEADER_MS = 1_000;
/**
 * After this time a batch without a result counts as lost, and the next request to look runs it again. It is also the
 * longest wait between two looks.
 */
const WAIT_TIMEOUT_MS = 2_000;

export interface QueryBatcherOptions {
  /** Whether the database may have copies; queries then start from the isolate's newest bookmark. */
  readonly hasCopies: boolean;
  /**
   * Maximum of concurrent batches. More than one pays off if the database is far away: then most of the time is the
   * wait for a response, and not work of the database.
   */
  readonly maxInFlight: number;
  /** Settings of the expected chain. */
  readonly settings: Pick<BlockchainSettings, "genesis">;
  /** Gets the state of each reading. */
  readonly latest: LatestState;
  readonly nowMs: () => number;
}

/** The request that runs a query. */
export interface QueryContext {
  readonly database: Database;
  /** Continues work after the response, also if the client disconnects. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** State that all queries of a batch share. */
interface BatchState {
  /** State that the results show. */
  readonly chain: Chain;
  /** Bookmark, if the database has copies: a later read from it sees no earlier state. */
  readonly bookmark: string | undefined;
}

export interface PointResult<Value> extends BatchState, Omit<FoundPoint, "value"> {
  readonly value: Value;
}

type QueryResult =
  | ({ readonly kind: "found" } & BatchState & FoundPoint)
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "alone" };

interface PendingQuery {
  readonly query: Query<unknown>;
  result?: QueryResult;
  /** Lets the request look again. */
  wake: () => void;
}

/** Successive batches run by one request. */
interface InFlightBatches {
  requestedAtMs: number;
  /** Queries of the current batch. */
  pending: readonly PendingQuery[];
}

export class QueryBatcher {
  readonly #options: QueryBatcherOptions;
  /** Waiting queries in order of arrival. */
  #waiting: PendingQuery[] = [];
  /** Runs in progress. */
  readonly #inFlight = new Set<InFlightBatches>();

  constructor(options: QueryBatcherOptions) {
    this.#options = options;
  }

  /**
   * @returns undefined: the query failed in a batch, and the caller must run it alone
   * @throws ReadModelUnavailable if the tables show no state
   */
  async query<Value>(query: Query<Value>, request: QueryContext): Promise<PointResult<Value> | undefined> {
    if (this.#waiting.length >= MAX_WAITING) return undefined;
    const waiting: PendingQuery = { query: query, wake: () => {} };
    this.#waiting.push(waiting);
    while (waiting.result === undefined) {
      const woken = new Promise<void>((resolve) => {
        waiting.wake = resolve;
      });
      // If the batch is lost and no request follows, only this timer looks again.
      const timer = setTimeout(waiting.wake, WAIT_TIMEOUT_MS);
      if (this.#hasCapacity()) request.waitUntil(this.#runBatches(request));
      await woken;
      clearTimeout(timer);
    }
    const { result } = waiting;
    if (result.kind === "error") throw result.error;
    if (result.kind === "alone") return undefined;
    try {
      // The batch decodes with the query's own decoder.
      return { ...result, value: result.value() as Value };
    } catch {
      // The row of another query may be the cause.
      return undefined;
    }
  }

  #hasCapacity(): boolean {
    const nowMs = this.#options.nowMs();
    for (const flight of this.#inFlight)
      if (Math.abs(nowMs - flight.requestedAtMs) >= WAIT_TIMEOUT_MS) this.#release(flight);
    return this.#inFlight.size < this.#options.maxInFlight;
  }

  /**
   * Releases the queries of a lost run, so that another request runs them: its request may be gone, or the database may
   * hang.
   */
  #release(flight: InFlightBatches): void {
    this.#inFlight.delete(flight);
    this.#waiting.unshift(...flight.pending.filter(({ result }) => result === undefined));
    flight.pending = [];
  }

  /** Runs batches until no query waits, or until other requests must take over. Never rejects. */
  async #runBatches({ database }: QueryContext): Promise<void> {
    const { nowMs } = this.#options;
    const flight: InFlightBatches = { requestedAtMs: nowMs(), pending: [] };
    this.#inFlight.add(flight);
    const endMs = flight.requestedAtMs + MAX_LEADER_MS;
    for (let left = MAX_LEADER_QUERIES; left > 0 && this.#waiting.length > 0 && flight.requestedAtMs < endMs; ) {
      const entries = this.#waiting.splice(0, Math.min(left, MAX_BATCH_QUERIES));
      flight.pending = entries;
      left -= entries.length;
      const queries = entries.map(({ query }) => query);
      const outcomes = await this.#runBatch(queries, database);
      entries.forEach((waiting, index) => {
        waiting.result ??= outcomes[index] as QueryResult;
        waiting.wake();
      });
      // The run was released, and another one has replaced it.
      if (!this.#inFlight.has(flight)) return;
      flight.requestedAtMs = nowMs();
    }
    this.#inFlight.delete(flight);
    // The first request that is still there runs the next batch.
    for (const { wake } of this.#waiting) wake();
  }

  /** Runs one batch. @returns the result of each query, in their order. Never rejects. */
  async #runBatch(queries: readonly Query<unknown>[], database: Database): Promise<readonly QueryResult[]> {
    const { hasCopies, latest, settings } = this.#options;
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
      return queries.map(() => (isOwn ? { kind: "error", error: toReadModelUnavailable(cause) } : { kind: "alone" }));
    }
    try {
      const landed: BatchState = {
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

/**
 * Queries of the rules on the read model: they run anywhere in the Worker, without waking ChainState. The rows that
 * they read stay cached as long as the state is the newest.
 */

import type { Address } from "../../crypto/identities.ts";
import type { BlockchainSettings } from "../../network/settings.ts";
import type { IsolateMemory, MemoryRegion } from "../../platform/isolate-memory.ts";
import { textBytes } from "../../platform/isolate-memory.ts";
import type { ScriptSlot } from "../../platform/script-scheduler.ts";
import { WorkMeter } from "../../ride/evaluator/work-meter.ts";
import type { Commitment } from "../../rules/finality/commitment.ts";
import type { StateView } from "../../rules/state/state-view.ts";
import { historyFromOf } from "../../tables/chain.ts";
import { commitmentTable } from "../../tables/commitments.ts";
import { bindCell } from "../../tables/schema/cell.ts";
import { commitmentOf } from "../../tables/view/committed-periods.ts";
import type { RowSource } from "../../tables/view/row-source.ts";
import { TableView } from "../../tables/view/table-view.ts";
import { type Chain, isOlderThan, isSameState } from "../chain.ts";
import type { SeenState } from "../latest-state.ts";
import type { ReadModel } from "../read-model.ts";
import { KnownRows } from "./known-rows.ts";
import { RequestedRows } from "./requested-rows.ts";
import type { RowQuery } from "./row-query.ts";

/** Maximum complexity of the scripts of a transaction. */
const CALL_COMPLEXITY = 52_000;
/**
 * Complexity for all attempts at a query together, as a multiple of the above or of an evaluation's limit. Each attempt
 * reads at least one row that the one before did not know.
 */
const MAX_REPEATED = 2;
/** Complexity counted for an attempt besides its scripts: a batch of rows, the signatures of a transaction. */
const ATTEMPT_COMPLEXITY = 500;
/** Time limit checked between attempts: fetching rows takes time, and each attempt starts over. */
const MAX_MS = 10_000;
/** Maximum memory of rows that one query may read. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Maximum of rows prefetched because the same query needed them in an earlier state. */
const MAX_PREFETCHED = 100;

interface PublishedViewOptions {
  readonly settings: BlockchainSettings;
  readonly historyFrom: number;
  readonly workMeter: WorkMeter;
}

/** View of the published state. */
class PublishedView extends TableView {
  override readonly mayRefuseWork = true;
  readonly workMeter: WorkMeter;
  readonly #rows: RowSource;
  readonly #historyFrom: number;

  constructor(store: RowSource, { settings, historyFrom, workMeter }: PublishedViewOptions) {
    super(store, settings);
    this.#rows = store;
    this.#historyFrom = historyFrom;
    this.workMeter = workMeter;
  }

  override get historyFrom(): number {
    return this.#historyFrom;
  }

  /** Assets are numbered when they are issued: no query reads the number, and the read model has no index for it. */
  override assetsIssuedInBlock(): number {
    return 0;
  }

  /** Reads only the requested commitment of a period, which may have thousands. */
  override findCommitment(periodStart: number, address: Address): Commitment | undefined {
    const [row] = this.#rows.query(
      commitmentTable,
      "WHERE address = ? AND period_start = ?",
      bindCell(address),
      periodStart,
    );
    return row && commitmentOf(row);
  }

  override commitmentCount(periodStart: number): number {
    return Number(this.#rows.scalar("SELECT COUNT(*) FROM commitment WHERE period_start = ?", periodStart));
  }
}

/** A query exceeds its limits for rows, time or complexity. */
export class StateQueryTooLarge extends Error {
  override readonly name = "StateQueryTooLarge";
}

export interface PublishedStateOptions {
  readonly settings: BlockchainSettings;
  /** Whether the read model has only fetched state, as on a fork. */
  readonly isFork?: boolean;
  /** Maximum complexity of an evaluation. Default: that of a call. */
  readonly evaluationComplexity?: number;
  readonly memory: IsolateMemory;
  readonly nowMs: () => number;
}

/** Context of a query. */
export interface StateQueryContext {
  /** Read model of the request. */
  readonly model: ReadModel;
  /** Newest state, if some request knows it or is about to: then D1 is queried only for rows that are not cached. */
  readonly newest: () => Promise<SeenState | undefined>;
  /**
   * Kind of the query. Queries of the same kind usually read the same rows: in a new state these are prefetched in one
   * batch.
   */
  readonly kind?: string | undefined;
  /** Scheduler slot for queries that run scripts: each attempt waits for it. */
  readonly slot?: ScriptSlot | undefined;
}

/** A result, and its state. */
export interface StateQueryResult<Answer> {
  readonly chain: Chain;
  readonly value: Answer;
}

/** A state with its cached rows. */
interface KnownState {
  readonly chain: Chain;
  readonly rows: KnownRows;
}

/** The only key of its region. */
const NEWEST = "newest";

export class PublishedState {
  readonly #options: PublishedStateOptions;
  readonly #states: MemoryRegion<KnownState>;
  /** Rows that a kind of query needed when rows last had to be fetched for it. */
  readonly #accessPatterns: MemoryRegion<readonly RowQuery[]>;

  constructor(options: PublishedStateOptions) {
    this.#options = options;
    this.#states = options.memory.region("state rows", ({ rows }) => rows.sizeBytes);
    this.#accessPatterns = options.memory.region("habit", accessPatternBytes);
  }

  /**
   * Runs a query on the newest published state.
   * @param query query without side effects; it runs several times, at first on views that lack rows
   * @throws ReadModelUnavailable, StateQueryTooLarge, WorkExceeded; StateChanged: the request has read an earlier state
   *   before
   */
  async query<Answer>(
    { model, newest, kind, slot }: StateQueryContext,
    query: (view: StateView) => Answer,
  ): Promise<StateQueryResult<Answer>> {
    const { settings, nowMs, isFork, evaluationComplexity = CALL_COMPLEXITY } = this.#options;
    const endMs = nowMs() + MAX_MS;
    const pattern = kind === undefined ? undefined : this.#accessPatterns.find(kind);
    const workMeter = new WorkMeter(MAX_REPEATED * Math.max(CALL_COMPLEXITY, evaluationComplexity));
    let state = await this.#begin(model, newest, pattern ?? []);
    for (let attempt = 0; ; attempt++) {
      const { chain, rows } = state;
      await slot?.begin();
      const spentBefore = workMeter.spentComplexity;
      workMeter.beginAttempt(ATTEMPT_COMPLEXITY);
      const rowRequests = new RequestedRows(rows, { chainId: settings.chainId, isWhole: !isFork, workMeter });
      const view = new PublishedView(rowRequests, { settings, historyFrom: historyFromOf(chain.identity), workMeter });
      const result = captured(() => query(view));
      slot?.spent(workMeter.spentComplexity - spentBefore);
      if (workMeter.isExhausted) {
        // With the rows known by now, the same query gets further the next time.
        if (kind !== undefined) this.#storeAccessPattern(kind, rowRequests);
        throw new StateQueryTooLarge(
          `no result after ${attempt + 1} attempts with ${workMeter.spentComplexity} complexity`,
        );
      }
      const { missing } = rowRequests;
      if (missing.length === 0) {
        model.see(chain);
        if (kind !== undefined && (pattern === undefined || attempt > 0)) this.#storeAccessPattern(kind, rowRequests);
        return { chain, value: result() };
      }
      if (nowMs() > endMs)
        throw new StateQueryTooLarge(`no result after ${attempt + 1} batches of rows in ${MAX_MS} ms`);
      if (rows.sizeBytes > MAX_BYTES) throw new StateQueryTooLarge(`no result with ${rows.sizeBytes} bytes of rows`);
      state = await this.#fetch(model, missing, state);
    }
  }

  /** Chooses a state, and prefetches the rows that the query probably needs. */
  async #begin(
    model: ReadModel,
    newest: StateQueryContext["newest"],
    pattern: readonly RowQuery[],
  ): Promise<KnownState> {
    // Without cached rows a fetch is needed anyway, and brings the state along.
    const cached = this.#states.find(NEWEST);
    const chain = cached === undefined ? undefined : (await newest())?.chain;
    if (cached === undefined || chain === undefined) return this.#fetch(model, pattern);
    const state = isSameState(cached.chain, chain) ? cached : this.#stateOf(chain);
    const missingRows = pattern.filter(({ name }) => state.rows.find(name) === undefined);
    return missingRows.length === 0 ? state : this.#fetch(model, missingRows, state);
  }

  /**
   * Fetches rows from the newest state.
   * @param before state of the attempt before
   * @throws ReadModelUnavailable
   */
  async #fetch(model: ReadModel, queries: readonly RowQuery[], before?: KnownState): Promise<KnownState> {
    const { chain, values } = await model.readAny(...queries.map(({ query }) => query()));
    const state = before !== undefined && isSameState(before.chain, chain) ? before : this.#stateOf(chain);
    for (const [index, { store }] of queries.entries()) store(values[index] ?? [], state.rows);
    this.#store(state);
    return state;
  }

  /** Cached rows of the state; none, if the cache has another state. */
  #stateOf(chain: Chain): KnownState {
    const cached = this.#states.find(NEWEST);
    return cached !== undefined && isSameState(cached.chain, chain) ? cached : { chain, rows: new KnownRows() };
  }

  #store(state: KnownState): void {
    const cached = this.#states.find(NEWEST);
    // A slow result does not replace a newer state.
    if (cached === undefined || !isOlderThan(state.chain, cached.chain)) this.#states.store(NEWEST, state);
  }

  #storeAccessPattern(kind: string, { requested }: RequestedRows): void {
    if (requested.length <= MAX_PREFETCHED) this.#accessPatterns.store(kind, requested);
    else this.#accessPatterns.drop(kind);
  }
}

/** Memory of a query besides its name, which counts twice: its bindings have the same size. */
const QUERY_BYTES = 500;

function accessPatternBytes(queries: readonly RowQuery[]): number {
  return queries.reduce((sum, { name }) => sum + QUERY_BYTES + 2 * textBytes(name), 0);
}

/** Captures the result or the error of a query: as long as rows are missing, neither counts. */
function captured<Answer>(ask: () => Answer): () => Answer {
  try {
    const value = ask();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

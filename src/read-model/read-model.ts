/**
 * Queries of D1. All queries of a request go in one batch, so that their results show one state of the chain. If a
 * request needs several batches, the first one fixes the state, and the others must show the same one.
 */
import type { ForkFetchResult } from "../env.ts";
import type { RemoteStateKey } from "../network/remote-state-key.ts";
import type { BlockchainSettings } from "../network/settings.ts";
import type { Bookmark } from "./bookmark.ts";
import {
  type Chain,
  type ChainRow,
  chainQuery,
  hasSameFinal,
  isOlderThan,
  isSameState,
  readableChain,
  stateTag,
  withChain,
} from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import { type Database, preparedOn, type Session, sessionOf } from "./database.ts";
import type { FetchedState } from "./fetched-state.ts";
import type { LatestState } from "./latest-state.ts";
import type { Query, QueryResults, Statement } from "./query.ts";
import type { PointResult } from "./query-batcher.ts";
import { readPublished, toReadModelUnavailable } from "./read-model-unavailable.ts";
import { StateChanged } from "./state-changed.ts";

export interface Reading<Queries extends readonly Query<unknown>[]> {
  /** State that all results show. */
  readonly chain: Chain;
  readonly values: QueryResults<Queries>;
}

export interface ReadModelOptions {
  readonly database: Database;
  /** Whether the database may have copies, which may lag. Without copies, a session would only add cost. */
  readonly hasCopies: boolean;
  /** Settings of the expected chain. */
  readonly settings: Pick<BlockchainSettings, "genesis">;
  /** Bookmark of the client: it is never shown an earlier state. */
  readonly bookmark: Bookmark | undefined;
  /** Newest state that this isolate has seen: no client of it is shown an earlier one. Each reading updates it. */
  readonly latest: LatestState;
  /** Access to the source network of a fork. Undefined: the chain has all of its state. */
  readonly fork?: ForkReadOptions | undefined;
  /**
   * Runs a query in a batch with those of other requests, as `PointsTogether.ask`; undefined: this request reads alone.
   */
  readonly readInBatch?: <Value>(query: Query<Value>) => Promise<PointResult<Value> | undefined>;
  /** Has the chain published if it is not: after a deployment nothing is published until ChainState wakes. */
  readonly publish: () => Promise<void>;
}

/** Fetched state of a fork, and the function that fetches more. */
export interface ForkReadOptions {
  readonly fetchedState: FetchedState;
  readonly fetchState: (remoteKeys: RemoteStateKey[]) => Promise<ForkFetchResult>;
}

/** Reads of one request. */
export class ReadModel {
  readonly #options: ReadModelOptions;
  /** Session of this request alone; undefined before its first use. */
  #session: Session | undefined;
  /** Bookmark of the last batch shared with other requests. */
  #bookmark: string | undefined;
  /** Whether the session starts from a bookmark of the client or of this isolate. */
  #isSeen = false;
  /** Whether reads may come from a copy that lags. */
  #isCopy = true;
  #seenChain: Chain | undefined;

  constructor(options: ReadModelOptions) {
    this.#options = options;
  }

  /** Bookmark for the client's next request, so that it never sees an earlier state than this. */
  get bookmark(): string | undefined {
    return this.#session?.getBookmark?.() ?? this.#bookmark;
  }

  /** Whether the tables have all of the chain's state: on a fork they have only fetched state. */
  get isWhole(): boolean {
    return this.#options.fork === undefined;
  }

  /** The one state that all readings have shown; undefined before the first. */
  get seenChain(): Chain | undefined {
    return this.#seenChain;
  }

  /** Records a state that was read from the same database in another way. @throws StateChanged */
  see(chain: Chain): void {
    if (this.#seenChain !== undefined && !isSameState(this.#seenChain, chain)) throw changed(this.#seenChain, chain);
    this.#seenChain = chain;
  }

  /**
   * Runs queries in one batch.
   * @throws StateChanged if it shows another state than the reading before; ReadModelUnavailable, and errors of
   *   `publish`
   */
  read<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    return this.#readPublished(() => this.#read(queries, (chain) => this.see(chain)));
  }

  /**
   * Reads final data of the state that the first reading has shown. Every later state has them, too, so any of them
   * will do.
   * @throws StateChanged if final blocks were rolled back since; and errors of `read`
   */
  readFinal<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    const seenChain = this.#seenChain;
    if (seenChain === undefined) return this.read(...queries);
    const expectSameFinal = (chain: Chain) => {
      if (!hasSameFinal(seenChain, chain)) throw changed(seenChain, chain);
    };
    return this.#readPublished(() => this.#read(queries, expectSameFinal));
  }

  /** Reads from the newest state, whichever it is: the caller passes the one that the response shows to `see`. */
  readAny<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    return this.#readPublished(() => this.#read(queries, () => {}));
  }

  /**
   * Reads from the primary database and not from a copy: for data that must not be missed. The response starts over:
   * earlier readings no longer count.
   * @throws ReadModelUnavailable, and errors of `publish`
   */
  readLatest<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    this.#usePrimary();
    this.#seenChain = undefined;
    return this.read(...queries);
  }

  #readPublished<T>(read: () => Promise<T>): Promise<T> {
    return readPublished(read, async () => {
      await this.#options.publish();
      this.#usePrimary();
    });
  }

  /** @param see called with the state of the reading */
  async #read<const Queries extends readonly Query<unknown>[]>(
    queries: Queries,
    see: (chain: Chain) => void,
  ): Promise<Reading<Queries>> {
    const before = this.#options.latest.newest?.chain;
    const { chain, values } = (await this.#readInBatch(queries)) ?? (await this.#readAlone(queries));
    if (before !== undefined && this.#isCopy && isOlderThan(chain, before)) {
      // This copy lags behind a state that another one has shown.
      this.#usePrimary();
      return this.#read(queries, see);
    }
    if (await this.#fetchRemoteState(chain, queries)) return this.#read(queries, see);
    see(chain);
    return { chain, values: values() as QueryResults<Queries> };
  }

  /**
   * Fetches missing remote state.
   * @returns whether any was missing: then the caller must read again
   * @throws RemoteStateUnavailable
   */
  async #fetchRemoteState(chain: Chain, queries: readonly Query<unknown>[]): Promise<boolean> {
    const { fork } = this.#options;
    if (fork === undefined) return false;
    const missing = fork.fetchedState.missingIn(
      chain,
      queries.flatMap(({ remoteKeys }) => remoteKeys?.() ?? []),
    );
    if (missing.length === 0) return false;
    await fork.fetchedState.fetch(chain, missing, fork.fetchState);
    return true;
  }

  /**
   * Runs a point query in a batch, from a state that every request of this isolate may see.
   * @returns undefined: the caller must read alone
   */
  async #readInBatch(queries: readonly Query<unknown>[]): Promise<LateReading | undefined> {
    const { readInBatch, bookmark, latest } = this.#options;
    const [first, ...others] = queries;
    if (readInBatch === undefined || first?.isPoint !== true || others.length > 0 || !this.#isCopy) return undefined;
    // The client has seen more than this isolate.
    const newest = latest.newest?.bookmark;
    if (later(newest, bookmark) !== newest) return undefined;
    const found = await readInBatch(first);
    if (found === undefined) return undefined;
    this.#bookmark = found.bookmark;
    return { chain: found.chain, values: () => [found.value] };
  }

  async #readAlone(queries: readonly Query<unknown>[]): Promise<LateReading> {
    const { latest, settings } = this.#options;
    const onSeen = latest.beginReading();
    const { row, values } = await this.#runQueries(queries);
    const chain = readableChain(row, settings);
    onSeen({ chain, bookmark: this.bookmark });
    return { chain, values };
  }

  /** The row of `chain`, and a decoder of the results, which the caller runs once the state is known to be readable. */
  async #runQueries(
    queries: readonly Query<unknown>[],
  ): Promise<{ row: ChainRow | undefined; values: () => readonly unknown[] }> {
    const [first, ...others] = queries;
    if (first?.isPoint === true && others.length === 0) {
      const joined = withChain(first);
      const [rows = []] = await this.#batch([joined]);
      return { row: joined.row(rows), values: () => [joined.value(rows)] };
    }
    const [chainRows = [], ...rows] = await this.#batch([chainQuery, ...queries]);
    return {
      row: chainQuery.decode(chainRows),
      values: () => queries.map(({ decode }, index) => decode(rows[index] ?? [])),
    };
  }

  #usePrimary(): void {
    const { database, hasCopies } = this.#options;
    this.#isSeen = false;
    this.#isCopy = false;
    this.#session = sessionOf(database, { hasCopies, from: "first-primary" });
  }

  /** Starts a session from the newest bookmark of the client or this isolate. */
  #begin(): Session {
    const { bookmark, database, hasCopies, latest } = this.#options;
    const newest = later(later(bookmark, latest.newest?.bookmark), this.#bookmark);
    this.#isSeen = hasCopies && newest !== undefined;
    return sessionOf(database, { hasCopies, from: newest ?? "first-unconstrained" });
  }

  async #batch(statements: readonly Statement[]): Promise<readonly (readonly ResultRow[])[]> {
    this.#session ??= this.#begin();
    try {
      const results = await this.#session.batch<ResultRow>(preparedOn(this.#session, statements));
      return results.map((result) => result.results);
    } catch (cause) {
      if (!this.#isSeen) throw toReadModelUnavailable(cause);
      // The bookmark may belong to a dropped database, or to none: the primary is newer than everything seen before.
      this.#usePrimary();
      return this.#batch(statements);
    }
  }
}

/** A reading whose values are decoded once the state is known to be the right one. */
interface LateReading {
  readonly chain: Chain;
  readonly values: () => readonly unknown[];
}

function changed(shown: Chain, now: Chain): StateChanged {
  return new StateChanged(`the response has begun with state ${stateTag(shown)}, and now there is ${stateTag(now)}`);
}

/** Returns the later bookmark: bookmarks of a database sort as texts. */
function later(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

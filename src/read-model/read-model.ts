/**
 * Asks D1: all questions of a request in one batch, so that they are answered from one state of the chain. Where that takes
 * several, the first one says which state the answer shows, and the others must show the same.
 */
import type { ForkBrought } from "../env.ts";
import type { RemoteFact } from "../network/remote-fact.ts";
import type { BlockchainSettings } from "../network/settings.ts";
import type { Bookmark } from "./bookmark.ts";
import type { BroughtFacts } from "./brought-facts.ts";
import {
  type Chain,
  type ChainRow,
  chainQuery,
  hasSameFinal,
  isBehind,
  isSameState,
  readableChain,
  stateTag,
  withChain,
} from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import { type Database, preparedOn, type Session, sessionOf } from "./database.ts";
import type { LatestState } from "./latest-state.ts";
import type { PointAnswer } from "./points-together.ts";
import type { Answers, Query, Statement } from "./query.ts";
import { readPublished, unanswered } from "./read-model-unavailable.ts";
import { StateChanged } from "./state-changed.ts";

export interface Reading<Queries extends readonly Query<unknown>[]> {
  /** The state that every answer shows. */
  readonly chain: Chain;
  readonly values: Answers<Queries>;
}

export interface ReadModelFacts {
  readonly database: Database;
  /** The database may have copies, some of them behind. Where it has none, a session would cost and give nothing. */
  readonly hasCopies: boolean;
  /** Of the chain that is to be read. */
  readonly settings: Pick<BlockchainSettings, "genesis">;
  /** What the client has seen already: it is never shown an earlier state. */
  readonly bookmark: Bookmark | undefined;
  /** What this isolate has seen: nobody whom it answers is shown an earlier state. It is told each reading. */
  readonly latest: LatestState;
  /** Of a fork: brings what is asked for of the network behind it. Undefined: the chain has all of its state. */
  readonly fork?: ForkFacts | undefined;
  /**
   * Asks together with other requests, as `PointsTogether.ask`; undefined: this one asks alone.
   */
  readonly askTogether?: <Value>(question: Query<Value>) => Promise<PointAnswer<Value> | undefined>;
  /** Has the chain published where it is not: after a deployment nothing is, until somebody wakes ChainState. */
  readonly publish: () => Promise<void>;
}

/** How a fork is asked for what it does not know yet, and what is known to be there. */
export interface ForkFacts {
  readonly brought: BroughtFacts;
  readonly bring: (facts: RemoteFact[]) => Promise<ForkBrought>;
}

/** The reading of one request. */
export class ReadModel {
  readonly #facts: ReadModelFacts;
  /** What this request alone reads from; undefined until it does. */
  #session: Session | undefined;
  /** Of what it has read together with others. */
  #bookmark: string | undefined;
  /** Whether the session is one that somebody has seen, or is to see. */
  #isSeen = false;
  /** Whether what is read may be a copy, and behind. */
  #isCopy = true;
  #shown: Chain | undefined;

  constructor(facts: ReadModelFacts) {
    this.#facts = facts;
  }

  /** What a client sends along so that it is never shown an earlier state than this. */
  get bookmark(): string | undefined {
    return this.#session?.getBookmark?.() ?? this.#bookmark;
  }

  /** Whether the tables have all of the chain's state: on a fork they have what was asked for. */
  get isWhole(): boolean {
    return this.#facts.fork === undefined;
  }

  /** The one state that all readings have shown; undefined before the first. */
  get shown(): Chain | undefined {
    return this.#shown;
  }

  /** To be called with what was read of the same database in another way. @throws StateChanged */
  see(chain: Chain): void {
    if (this.#shown !== undefined && !isSameState(this.#shown, chain)) throw changed(this.#shown, chain);
    this.#shown = chain;
  }

  /** @throws StateChanged where it shows another state than the reading before; ReadModelUnavailable, and what `publish` throws */
  read<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    return this.#readPublished(() => this.#read(queries, (chain) => this.see(chain)));
  }

  /**
   * The same, of what is final in the state that the first reading has shown: every later state has it, too, so that it may be
   * read from any of them.
   * @throws StateChanged where final blocks were taken away since; and as `read`
   */
  readFinal<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    const shown = this.#shown;
    if (shown === undefined) return this.read(...queries);
    const expectSameFinal = (chain: Chain) => {
      if (!hasSameFinal(shown, chain)) throw changed(shown, chain);
    };
    return this.#readPublished(() => this.#read(queries, expectSameFinal));
  }

  /** As `read`, of whatever state is the newest: who asks calls `see` with the one that the answer is about. */
  readAny<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    return this.#readPublished(() => this.#read(queries, () => {}));
  }

  /**
   * As `read`, from the database that is written to and not from a copy nearby: for what must not be missed. The answer begins
   * anew with it: what was read before is no part of it.
   * @throws ReadModelUnavailable, and what `publish` throws
   */
  readLatest<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    this.#lookAtPrimary();
    this.#shown = undefined;
    return this.read(...queries);
  }

  #readPublished<T>(read: () => Promise<T>): Promise<T> {
    return readPublished(read, async () => {
      await this.#facts.publish();
      this.#lookAtPrimary();
    });
  }

  /** @param see is told the state that was read */
  async #read<const Queries extends readonly Query<unknown>[]>(
    queries: Queries,
    see: (chain: Chain) => void,
  ): Promise<Reading<Queries>> {
    const before = this.#facts.latest.newest?.chain;
    const { chain, values } = (await this.#readTogether(queries)) ?? (await this.#readAlone(queries));
    if (before !== undefined && this.#isCopy && isBehind(chain, before)) {
      // The copy nearby has not what another one has shown.
      this.#lookAtPrimary();
      return this.#read(queries, see);
    }
    if (await this.#bring(chain, queries)) return this.#read(queries, see);
    see(chain);
    return { chain, values: values() as Answers<Queries> };
  }

  /** @returns whether there was anything to bring: then it is to be read again @throws NotBrought */
  async #bring(chain: Chain, queries: readonly Query<unknown>[]): Promise<boolean> {
    const { fork } = this.#facts;
    if (fork === undefined) return false;
    const missing = fork.brought.missingIn(
      chain,
      queries.flatMap(({ stands }) => stands?.() ?? []),
    );
    if (missing.length === 0) return false;
    await fork.brought.bring(chain, missing, fork.bring);
    return true;
  }

  /** A point query, from what every request of this isolate may be shown. @returns undefined: it is to be read alone */
  async #readTogether(queries: readonly Query<unknown>[]): Promise<LateReading | undefined> {
    const { askTogether, bookmark, latest } = this.#facts;
    const [first, ...others] = queries;
    if (askTogether === undefined || first?.isPoint !== true || others.length > 0 || !this.#isCopy) return undefined;
    // The client has seen more than this isolate.
    const newest = latest.newest?.bookmark;
    if (later(newest, bookmark) !== newest) return undefined;
    const answer = await askTogether(first);
    if (answer === undefined) return undefined;
    this.#bookmark = answer.bookmark;
    return { chain: answer.chain, values: () => [answer.value] };
  }

  async #readAlone(queries: readonly Query<unknown>[]): Promise<LateReading> {
    const { latest, settings } = this.#facts;
    const tell = latest.beginReading();
    const { row, values } = await this.#ask(queries);
    const chain = readableChain(row, settings);
    tell({ chain, bookmark: this.bookmark });
    return { chain, values };
  }

  /** The row of the chain, and what reads the answers: that waits until it is known whether there is anything to read. */
  async #ask(
    queries: readonly Query<unknown>[],
  ): Promise<{ row: ChainRow | undefined; values: () => readonly unknown[] }> {
    const [first, ...others] = queries;
    if (first?.isPoint === true && others.length === 0) {
      const together = withChain(first);
      const [rows = []] = await this.#batch([together]);
      return { row: together.row(rows), values: () => [together.value(rows)] };
    }
    const [chainRows = [], ...rows] = await this.#batch([chainQuery, ...queries]);
    return {
      row: chainQuery.decode(chainRows),
      values: () => queries.map(({ decode }, index) => decode(rows[index] ?? [])),
    };
  }

  #lookAtPrimary(): void {
    const { database, hasCopies } = this.#facts;
    this.#isSeen = false;
    this.#isCopy = false;
    this.#session = sessionOf(database, { hasCopies, from: "first-primary" });
  }

  /** From the newest that the client or this isolate has seen. */
  #begin(): Session {
    const { bookmark, database, hasCopies, latest } = this.#facts;
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
      if (!this.#isSeen) throw unanswered(cause);
      // A bookmark may be of a database that is no more, or of none: what is newest is newer than all that was seen.
      this.#lookAtPrimary();
      return this.#batch(statements);
    }
  }
}

/** A reading whose values wait until it is known whether the state is the right one. */
interface LateReading {
  readonly chain: Chain;
  readonly values: () => readonly unknown[];
}

function changed(shown: Chain, now: Chain): StateChanged {
  return new StateChanged(`the answer has begun with state ${stateTag(shown)}, and now there is ${stateTag(now)}`);
}

/** Bookmarks of a database are in the order of their texts. */
function later(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

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
import type { LatestState } from "./latest-state.ts";
import type { Answers, Query, Statement } from "./query.ts";
import { readPublished, unanswered } from "./read-model-unavailable.ts";
import { StateChanged } from "./state-changed.ts";

/** The part of a D1 database that reading takes. */
export type Database = Pick<D1Database, "prepare" | "batch" | "withSession">;

/** What a request reads from: the database itself, or a session that goes from copy to copy without going back in time. */
type Session = Pick<D1DatabaseSession, "prepare" | "batch"> & Partial<Pick<D1DatabaseSession, "getBookmark">>;

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
  #session: Session;
  /** Whether the database is looked at as somebody has seen it, or is to see it. */
  #isSeen: boolean;
  /** Whether what is read may be a copy, and behind. */
  #isCopy = true;
  #shown: Chain | undefined;

  constructor(facts: ReadModelFacts) {
    this.#facts = facts;
    const bookmark = later(facts.bookmark, facts.latest.newest?.bookmark);
    this.#isSeen = facts.hasCopies && bookmark !== undefined;
    this.#session = this.#begin(bookmark ?? "first-unconstrained");
  }

  /** What a client sends along so that it is never shown an earlier state than this. */
  get bookmark(): string | undefined {
    return this.#session.getBookmark?.() ?? undefined;
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
    const { latest, settings } = this.#facts;
    const before = latest.newest?.chain;
    const tell = latest.beginReading();
    const { row, values } = await this.#ask(queries);
    const chain = readableChain(row, settings);
    if (before !== undefined && this.#isCopy && isBehind(chain, before)) {
      // The copy nearby has not what another one has shown.
      this.#lookAtPrimary();
      return this.#read(queries, see);
    }
    tell({ chain, bookmark: this.bookmark });
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
      queries.flatMap(({ stands = [] }) => stands),
    );
    if (missing.length === 0) return false;
    await fork.brought.bring(chain, missing, fork.bring);
    return true;
  }

  /** The row of the chain, and what reads the answers: that waits until it is known whether there is anything to read. */
  async #ask(queries: readonly Query<unknown>[]): Promise<{ row: ChainRow | undefined; values: () => unknown[] }> {
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

  #begin(from: D1SessionBookmark | D1SessionConstraint): Session {
    return this.#facts.hasCopies ? this.#facts.database.withSession(from) : this.#facts.database;
  }

  #lookAtPrimary(): void {
    this.#isSeen = false;
    this.#isCopy = false;
    this.#session = this.#begin("first-primary");
  }

  async #batch(statements: readonly Statement[]): Promise<readonly (readonly ResultRow[])[]> {
    try {
      const prepared = statements.map(({ sql, bindings }) => this.#session.prepare(sql).bind(...bindings));
      const results = await this.#session.batch<ResultRow>(prepared);
      return results.map((result) => result.results);
    } catch (cause) {
      if (!this.#isSeen) throw unanswered(cause);
      // A bookmark may be of a database that is no more, or of none: what is newest is newer than all that was seen.
      this.#lookAtPrimary();
      return this.#batch(statements);
    }
  }
}

function changed(shown: Chain, now: Chain): StateChanged {
  return new StateChanged(`the answer has begun with state ${stateTag(shown)}, and now there is ${stateTag(now)}`);
}

/** Bookmarks of a database are in the order of their texts. */
function later(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

/** Asks D1: all questions of a request in one batch, so that they are answered from one state of the chain. */
import type { BlockchainSettings } from "../network/settings.ts";
import type { Bookmark } from "./bookmark.ts";
import { type Chain, type ChainRow, chainQuery, isBehind, readableChain, stateTag, withChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import type { LatestState } from "./latest-state.ts";
import type { Answers, Query, Statement } from "./query.ts";
import { readPublished, unanswered } from "./read-model-unavailable.ts";

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
  /** Has the chain published where it is not: after a deployment nothing is, until somebody wakes ChainState. */
  readonly publish: () => Promise<void>;
}

/** The reading of one request. */
export class ReadModel {
  readonly #facts: ReadModelFacts;
  #session: Session;
  /** Whether the database is looked at as somebody has seen it, or is to see it. */
  #isSeen: boolean;
  /** Whether what is read may be a copy, and behind. */
  #isCopy = true;
  readonly #shown = new Map<string, Chain>();

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

  /** The states that the readings have shown: one, but where the chain went on between two of them. */
  get shown(): readonly Chain[] {
    return [...this.#shown.values()];
  }

  /** To be called with what was read of the same database in another way. */
  see(chain: Chain): void {
    this.#shown.set(stateTag(chain), chain);
  }

  /** @throws ReadModelUnavailable, and what `publish` throws */
  read<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    return readPublished(
      () => this.#read(queries),
      async () => {
        await this.#facts.publish();
        this.#lookAtPrimary();
      },
    );
  }

  /**
   * The same, from the database that is written to and not from a copy nearby: for what must not be missed.
   * @throws ReadModelUnavailable, and what `publish` throws
   */
  readLatest<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    this.#lookAtPrimary();
    return this.read(...queries);
  }

  async #read<const Queries extends readonly Query<unknown>[]>(queries: Queries): Promise<Reading<Queries>> {
    const { latest, settings } = this.#facts;
    const before = latest.newest?.chain;
    const tell = latest.beginReading();
    const { row, values } = await this.#ask(queries);
    const chain = readableChain(row, settings);
    if (before !== undefined && this.#isCopy && isBehind(chain, before)) {
      // The copy nearby has not what another one has shown.
      this.#lookAtPrimary();
      return this.#read(queries);
    }
    this.see(chain);
    tell({ chain, bookmark: this.bookmark });
    return { chain, values: values() as Answers<Queries> };
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

/** Bookmarks of a database are in the order of their texts. */
function later(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

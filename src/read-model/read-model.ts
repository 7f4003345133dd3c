/** Asks D1: all questions of a request in one batch, so that they are answered from one state of the chain. */
import type { BlockchainSettings } from "../network/settings.ts";
import type { Bookmark } from "./bookmark.ts";
import { type Chain, chainQuery, readableChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import type { Answers, Query } from "./query.ts";
import { readPublished, unanswered } from "./read-model-unavailable.ts";

/** The part of a D1 database that reading takes. */
export type Database = Pick<D1Database, "withSession">;

export interface Reading<Queries extends readonly Query<unknown>[]> {
  /** The state that every answer shows. */
  readonly chain: Chain;
  readonly values: Answers<Queries>;
}

export interface ReadModelFacts {
  readonly database: Database;
  /** Of the chain that is to be read. */
  readonly settings: Pick<BlockchainSettings, "genesis">;
  /** What the client has seen already: it is never shown an earlier state. */
  readonly bookmark: Bookmark | undefined;
  /** Is told the chain of each reading. */
  readonly onChain: (chain: Chain) => void;
  /** Has the chain published where it is not: after a deployment nothing is, until somebody wakes ChainState. */
  readonly publish: () => Promise<void>;
}

export class ReadModel {
  readonly #facts: ReadModelFacts;
  #session: D1DatabaseSession;
  /** Whether the database is looked at as the client has seen it, or is to see it. */
  #isSeen: boolean;

  constructor(facts: ReadModelFacts) {
    this.#facts = facts;
    this.#isSeen = facts.bookmark !== undefined;
    this.#session = facts.database.withSession(facts.bookmark ?? "first-unconstrained");
  }

  /** What a client sends along so that it is never shown an earlier state than this. */
  get bookmark(): string | undefined {
    return this.#session.getBookmark() ?? undefined;
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
    const [chainRows = [], ...rows] = await this.#batch([chainQuery, ...queries]);
    const chain = readableChain(chainQuery.decode(chainRows), this.#facts.settings);
    this.#facts.onChain(chain);
    const values = queries.map(({ decode }, index) => decode(rows[index] ?? []));
    return { chain, values: values as Answers<Queries> };
  }

  #lookAtPrimary(): void {
    this.#isSeen = false;
    this.#session = this.#facts.database.withSession("first-primary");
  }

  async #batch(queries: readonly Query<unknown>[]): Promise<readonly (readonly ResultRow[])[]> {
    try {
      const statements = queries.map(({ sql, bindings }) => this.#session.prepare(sql).bind(...bindings));
      const results = await this.#session.batch<ResultRow>(statements);
      return results.map((result) => result.results);
    } catch (cause) {
      if (!this.#isSeen) throw unanswered(cause);
      // A bookmark may be of a database that is no more, or of none: what is newest is newer than all that was seen.
      this.#lookAtPrimary();
      return this.#batch(queries);
    }
  }
}

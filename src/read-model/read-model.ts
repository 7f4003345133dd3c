/** Asks D1: all questions of a request in one batch, so that they are answered from one state of the chain. */
import type { BlockchainSettings } from "../network/settings.ts";
import { type Chain, chainQuery, readableChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import type { Answers, Query } from "./query.ts";
import { ReadModelUnavailable } from "./read-model-unavailable.ts";

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
  readonly bookmark: string | undefined;
  /** Is told the chain of each reading. */
  readonly onChain: (chain: Chain) => void;
  /** Has a chain published where none is: after a deployment nothing is, until somebody wakes ChainState. */
  readonly publish: () => Promise<void>;
}

export class ReadModel {
  readonly #facts: ReadModelFacts;
  #session: D1DatabaseSession;
  #hasAskedToPublish = false;

  constructor(facts: ReadModelFacts) {
    this.#facts = facts;
    this.#session = facts.database.withSession(facts.bookmark ?? "first-unconstrained");
  }

  /** What a client sends along so that it is never shown an earlier state than this. */
  get bookmark(): string | undefined {
    return this.#session.getBookmark() ?? undefined;
  }

  /** @throws ReadModelUnavailable, and what `publish` throws */
  async read<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    const [chainRows = [], ...rows] = await this.#batch([chainQuery, ...queries]);
    const row = chainQuery.decode(chainRows);
    if (row === undefined && !this.#hasAskedToPublish) {
      this.#hasAskedToPublish = true;
      await this.#facts.publish();
      return this.readLatest(...queries);
    }
    const chain = readableChain(row, this.#facts.settings);
    this.#facts.onChain(chain);
    const values = queries.map(({ decode }, index) => decode(rows[index] ?? []));
    return { chain, values: values as Answers<Queries> };
  }

  /**
   * The same, from the database that is written to and not from a copy nearby: for what must not be missed.
   * @throws ReadModelUnavailable, and what `publish` throws
   */
  readLatest<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    this.#session = this.#facts.database.withSession("first-primary");
    return this.read(...queries);
  }

  /** No rows at all of a database whose tables are not those of this release yet. */
  async #batch(queries: readonly Query<unknown>[]): Promise<readonly (readonly ResultRow[])[]> {
    try {
      const statements = queries.map(({ sql, bindings }) => this.#session.prepare(sql).bind(...bindings));
      const results = await this.#session.batch<ResultRow>(statements);
      return results.map((result) => result.results);
    } catch (cause) {
      if (isBeforeOpening(cause)) return [];
      throw new ReadModelUnavailable("the database did not answer", { cause });
    }
  }
}

/** The publisher makes and upgrades all tables in one step, when ChainState is at work for the first time. */
function isBeforeOpening(error: unknown): boolean {
  return error instanceof Error && /no such (table|column)/.test(error.message);
}

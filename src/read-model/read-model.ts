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

export class ReadModel {
  readonly #database: Database;
  readonly #settings: BlockchainSettings;
  readonly #onChain: (chain: Chain) => void;
  #session: D1DatabaseSession;

  /**
   * @param settings of the chain that is to be read
   * @param bookmark what the client has seen already: it is never shown an earlier state
   * @param onChain is told the chain of each reading
   */
  constructor(
    database: Database,
    settings: BlockchainSettings,
    bookmark: string | undefined,
    onChain: (chain: Chain) => void = () => {},
  ) {
    this.#database = database;
    this.#settings = settings;
    this.#session = database.withSession(bookmark ?? "first-unconstrained");
    this.#onChain = onChain;
  }

  /** What a client sends along so that it is never shown an earlier state than this. */
  get bookmark(): string | undefined {
    return this.#session.getBookmark() ?? undefined;
  }

  /** @throws ReadModelUnavailable */
  async read<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    const [chainRows, ...rows] = await this.#batch([chainQuery, ...queries]);
    const chain = readableChain(chainQuery.decode(chainRows ?? []), this.#settings);
    this.#onChain(chain);
    const values = queries.map(({ decode }, index) => decode(rows[index] ?? []));
    return { chain, values: values as Answers<Queries> };
  }

  /**
   * The same, from the database that is written to and not from a copy nearby: for what must not be missed.
   * @throws ReadModelUnavailable
   */
  readLatest<const Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Reading<Queries>> {
    this.#session = this.#database.withSession("first-primary");
    return this.read(...queries);
  }

  async #batch(queries: readonly Query<unknown>[]): Promise<readonly (readonly ResultRow[])[]> {
    try {
      const statements = queries.map(({ sql, bindings }) => this.#session.prepare(sql).bind(...bindings));
      const results = await this.#session.batch<ResultRow>(statements);
      return results.map((result) => result.results);
    } catch (cause) {
      throw new ReadModelUnavailable("the database did not answer", { cause });
    }
  }
}

import type { StoredValue } from "../../src/tables/schema/cell.ts";

/** The part of a Durable Object's storage that ChainState's tables need. */
export interface SqlDatabase {
  exec(
    query: string,
    ...bindings: StoredValue[]
  ): { raw(): Iterable<readonly StoredValue[]> & { toArray(): (readonly StoredValue[])[] } };
  /** Runs all or nothing: an error thrown inside leaves the tables as they were. */
  transaction<T>(run: () => T): T;
}

/** Rows of one state of the read model that were fetched so far. */
import { textBytes } from "../../platform/isolate-memory.ts";

/** Memory of a cached result besides its name and cells, bytes. */
const RESULT_BYTES = 200;

export class KnownRows {
  /** Results by query name; a query without rows has an empty one. */
  readonly #results = new Map<string, readonly unknown[]>();
  /** Names of the accounts with all data entries known. */
  readonly #wholeAccounts = new Set<string>();
  #sizeBytes = 0;

  /** Cached rows; undefined if the query has not run. */
  find(name: string): readonly unknown[] | undefined {
    return this.#results.get(name);
  }

  /** @param cellBytes memory of the rows' cells */
  store(name: string, rows: readonly unknown[], cellBytes: number): void {
    if (this.#results.has(name)) return;
    this.#results.set(name, rows);
    this.#sizeBytes += RESULT_BYTES + textBytes(name) + cellBytes;
  }

  hasWhole(account: string): boolean {
    return this.#wholeAccounts.has(account);
  }

  /** Marks an account as known in full, once each of its entries is stored. */
  markWhole(account: string): void {
    if (this.#wholeAccounts.has(account)) return;
    this.#wholeAccounts.add(account);
    this.#sizeBytes += RESULT_BYTES + textBytes(account);
  }

  /** Estimated memory. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }
}

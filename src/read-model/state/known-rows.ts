/** Rows of one state of the read model, as far as anybody has asked for them. */
import { textBytes } from "../../platform/isolate-memory.ts";

/** What an answer takes beside its name and cells. */
const ANSWER_BYTES = 200;

export class KnownRows {
  /** By name of the question; a question without rows has an empty answer. */
  readonly #answers = new Map<string, readonly unknown[]>();
  /** Names of the accounts all of whose data entries are known. */
  readonly #wholeAccounts = new Set<string>();
  #sizeBytes = 0;

  /** undefined: nobody has asked yet. */
  find(name: string): readonly unknown[] | undefined {
    return this.#answers.get(name);
  }

  /** @param cellBytes what the cells of the rows take */
  keep(name: string, rows: readonly unknown[], cellBytes: number): void {
    if (this.#answers.has(name)) return;
    this.#answers.set(name, rows);
    this.#sizeBytes += ANSWER_BYTES + textBytes(name) + cellBytes;
  }

  hasWhole(account: string): boolean {
    return this.#wholeAccounts.has(account);
  }

  /** To be called when each entry of the account was kept. */
  keepWhole(account: string): void {
    if (this.#wholeAccounts.has(account)) return;
    this.#wholeAccounts.add(account);
    this.#sizeBytes += ANSWER_BYTES + textBytes(account);
  }

  /** An estimate. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }
}

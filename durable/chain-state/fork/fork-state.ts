/** State of a fork: fetches missing state from the live node, and runs the interrupted work again. */
import type { ForkSource } from "../../../src/network/fork-source.ts";
import { factName, headerFact, ofId, type RemoteFact } from "../../../src/network/remote-state-key.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { RemoteStateMissing } from "../../../src/rules/state/remote-state-missing.ts";
import { blockTable } from "../../../src/tables/blocks.ts";
import { type RowChange, written } from "../../../src/tables/schema/row-change.ts";
import { keyText } from "../../../src/tables/schema/row-text.ts";
import type { StateStore } from "../state/state-store.ts";
import { bringFact } from "./fetch-remote-state.ts";
import type { ForkView } from "./fork-view.ts";
import type { KnownFacts } from "./known-remote-state.ts";
import { remoteBlockRow } from "./remote-header.ts";
import type { RemoteNode, RemoteQuestion, RemoteReply } from "./remote-node.ts";
import { headersAnswer, newestAnswer, readAnswer } from "./remote-responses.ts";
import type { BroughtFact } from "./remote-state-value.ts";
import { UntoldFault } from "./unsupported-remote-state.ts";

/** Each attempt fetches at least one new key; no script reads more than some thousands. */
const MAX_ATTEMPTS = 2_000;
/** Maximum of the interface. */
const HEADERS_AT_ONCE = 100;
/** Maximum length of a stored response, characters: a row holds 2 MB. */
const MAX_KEPT_ANSWER = 600_000;
/** Accounts whose change was logged; beyond this number a change is logged again. */
const MAX_TOLD = 10_000;

export interface ForkFacts {
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
  readonly store: StateStore;
  readonly view: ForkView;
  readonly known: KnownFacts;
  readonly remote: RemoteNode;
  /** Writes rows under the chain's own changes, together with the known keys, in one SQLite transaction. */
  readonly addBaseRows: (rows: () => readonly RowChange[]) => void;
  /** Logs a message for the operator. */
  readonly tell: (message: string) => void;
}

export class ForkState {
  readonly #facts: ForkFacts;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #told = new Set<string>();

  constructor(options: ForkFacts) {
    this.#facts = options;
  }

  /**
   * Runs an operation that leaves nothing behind on failure, until no state is missing.
   * @throws RemoteFault, UntoldFault, errors of `run`
   */
  async attempt<T>(run: () => T): Promise<Awaited<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof RemoteStateMissing) || attempt >= MAX_ATTEMPTS) throw error;
        await this.bringAll(error.facts);
      }
    }
  }

  /**
   * Fetches the state that a query will need, many keys at a time.
   * @param query without effects
   * @throws RemoteFault, UntoldFault
   */
  async foresee(query: () => unknown): Promise<void> {
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const missing = this.#facts.view.missingFor(query);
      if (missing.length === 0) return;
      await this.bringAll(missing);
    }
  }

  /**
   * Assumes that a transaction dated after the fork's block is not on the live chain, so that it need not be looked up.
   * A transaction may be dated ahead of its block; if a client sends such a one to the fork again, it is accepted.
   */
  expectNew({ id, timestamp }: Transaction): void {
    const { known, view, source } = this.#facts;
    const forkBlock = view.findHeader(source.height);
    if (forkBlock !== undefined && timestamp > forkBlock.header.timestamp)
      known.suppose(factName(ofId("transaction", id)));
  }

  /** Resolves when all keys are known. @throws RemoteFault, UntoldFault */
  async bringAll(keys: readonly RemoteFact[]): Promise<void> {
    const results = await Promise.allSettled(keys.map((key) => this.#bring(key)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /** Fetches the headers of a range, unless all are known. @throws RemoteFault */
  async bringHeaders(from: number, to: number): Promise<void> {
    const { view, settings } = this.#facts;
    for (let first = from; first <= to; first += HEADERS_AT_ONCE) {
      const last = Math.min(first + HEADERS_AT_ONCE - 1, to);
      const heights = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      if (heights.every((height) => view.isKnown(headerFact(height)))) continue;
      const request = { path: `/blocks/headers/seq/${first}/${last}` };
      const headers = readAnswer(headersAnswer, request, await this.#ask(request, new Map()));
      const rows = headers.map((header) => ({
        row: written(blockTable, remoteBlockRow(header, settings)),
        part: headerFact(header.height),
      }));
      this.#write(`headers ${first} ${last}`, { rows: () => rows }, new Map());
    }
  }

  async #bring(key: RemoteFact): Promise<void> {
    if (this.#facts.view.isKnown(key)) return;
    const name = factName(key);
    const pending = this.#underWay.get(name);
    if (pending !== undefined) return pending;
    const fetching = this.#bringOne(key, name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, fetching);
    return fetching;
  }

  async #bringOne(key: RemoteFact, name: string): Promise<void> {
    const { source, settings, view } = this.#facts;
    const responses = new Map<RemoteQuestion, RemoteReply>();
    const fetched = await bringFact(key, {
      ask: (request) => this.#ask(request, responses),
      source,
      settings,
      own: view.own,
    });
    if (responses.size > 0 && fetched.owner !== undefined) await this.#checkUnchanged(fetched.owner, key);
    await this.bringAll(fetched.needs ?? []);
    this.#write(name, fetched, responses);
  }

  async #ask(request: RemoteQuestion, responses: Map<RemoteQuestion, RemoteReply>): Promise<RemoteReply> {
    const { known, remote } = this.#facts;
    const stored = known.findAnswer(request);
    if (stored !== undefined) return stored;
    const response = await remote.ask(request);
    responses.set(request, response);
    return response;
  }

  /**
   * Checks that no transaction has touched the account since the fork's height: an ordinary node returns only the
   * present state.
   * @throws UntoldFault if the fork is to be exact, and the account has changed
   */
  async #checkUnchanged(owner: string, key: RemoteFact): Promise<void> {
    const { remote, source, tell } = this.#facts;
    const request = { path: `/transactions/address/${owner}/limit/1` };
    const [[newest]] = readAnswer(newestAnswer, request, await remote.ask(request));
    if (newest === undefined || newest.height <= source.height) return;
    const { height } = newest;
    const changeText = `the account ${owner} has changed at height ${height}, after the fork's height ${source.height}`;
    if (source.isExact)
      throw new UntoldFault(
        `${changeText}: ${factName(key)} was requested, and ${source.url} returns only its present state`,
      );
    if (this.#told.has(owner)) return;
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.add(owner);
    tell(`fork: ${changeText}; its present state is read from here on`);
  }

  #write(name: string, { rows }: BroughtFact, responses: ReadonlyMap<RemoteQuestion, RemoteReply>): void {
    const { known, view, store, addBaseRows } = this.#facts;
    addBaseRows(() => {
      const changes: RowChange[] = [];
      const seen = new Set<string>();
      for (const { row, part } of rows({ store, isKnown: (key) => view.isKnown(key) })) {
        if (part !== undefined && view.isKnown(part)) continue;
        if (part !== undefined) known.add(factName(part));
        const { table } = row;
        const rowKey = `${table.name} ${keyText(table, row.row)}`;
        // An existing row was fetched before, or has been changed on the fork.
        if (seen.has(rowKey) || store.find(table, row.row) !== undefined) continue;
        seen.add(rowKey);
        changes.push(row);
      }
      known.add(name);
      for (const [request, response] of responses)
        if (response.text.length <= MAX_KEPT_ANSWER) known.keepAnswer(request, response);
      return changes;
    });
  }
}

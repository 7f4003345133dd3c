/** State of a fork: fetches missing state from the live node, and runs the interrupted work again. */
import type { ForkSource } from "../../../src/network/fork-source.ts";
import {
  headerStateKey,
  idStateKey,
  type RemoteStateKey,
  remoteStateKeyName,
} from "../../../src/network/remote-state-key.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { RemoteStateMissing } from "../../../src/rules/state/remote-state-missing.ts";
import { blockTable } from "../../../src/tables/blocks.ts";
import { type RowChange, written } from "../../../src/tables/schema/row-change.ts";
import { keyText } from "../../../src/tables/schema/row-text.ts";
import type { StateStore } from "../state/state-store.ts";
import { fetchRemoteState } from "./fetch-remote-state.ts";
import type { ForkView } from "./fork-view.ts";
import type { KnownRemoteState } from "./known-remote-state.ts";
import { remoteBlockRow } from "./remote-header.ts";
import type { RemoteNode, RemoteRequest, RemoteResponse } from "./remote-node.ts";
import { headersResponse, newestTransactionsResponse, parseResponse } from "./remote-responses.ts";
import type { RemoteStateValue } from "./remote-state-value.ts";
import { UnsupportedRemoteState } from "./unsupported-remote-state.ts";

/** Each attempt fetches at least one new key; no script reads more than some thousands. */
const MAX_ATTEMPTS = 2_000;
/** Maximum of the interface. */
const HEADERS_AT_ONCE = 100;
/** Maximum length of a stored response, characters: a row holds 2 MB. */
const MAX_STORED_RESPONSE = 600_000;
/** Accounts whose change was logged; beyond this number a change is logged again. */
const MAX_NOTIFIED = 10_000;

export interface ForkStateOptions {
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
  readonly store: StateStore;
  readonly view: ForkView;
  readonly known: KnownRemoteState;
  readonly remote: RemoteNode;
  /** Writes rows under the chain's own changes, together with the known keys, in one SQLite transaction. */
  readonly addBaseRows: (rows: () => readonly RowChange[]) => void;
  /** Logs a message for the operator. */
  readonly log: (message: string) => void;
}

export class ForkState {
  readonly #options: ForkStateOptions;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #notified = new Set<string>();

  constructor(options: ForkStateOptions) {
    this.#options = options;
  }

  /**
   * Runs an operation that leaves nothing behind on failure, until no state is missing.
   * @throws RemoteNodeError, UnsupportedRemoteState, errors of `run`
   */
  async attempt<T>(run: () => T): Promise<Awaited<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof RemoteStateMissing) || attempt >= MAX_ATTEMPTS) throw error;
        await this.fetchAll(error.keys);
      }
    }
  }

  /**
   * Fetches the state that a query will need, many keys at a time.
   * @param query without effects
   * @throws RemoteNodeError, UnsupportedRemoteState
   */
  async prefetch(query: () => unknown): Promise<void> {
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const missing = this.#options.view.missingFor(query);
      if (missing.length === 0) return;
      await this.fetchAll(missing);
    }
  }

  /**
   * Assumes that a transaction dated after the fork's block is not on the live chain, so that it need not be looked up.
   * A transaction may be dated ahead of its block; if a client sends such a one to the fork again, it is accepted.
   */
  assumeNew({ id, timestamp }: Transaction): void {
    const { known, view, source } = this.#options;
    const forkBlock = view.findHeader(source.height);
    if (forkBlock !== undefined && timestamp > forkBlock.header.timestamp)
      known.assume(remoteStateKeyName(idStateKey("transaction", id)));
  }

  /** Resolves when all keys are known. @throws RemoteNodeError, UnsupportedRemoteState */
  async fetchAll(keys: readonly RemoteStateKey[]): Promise<void> {
    const results = await Promise.allSettled(keys.map((key) => this.#fetch(key)));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /** Fetches the headers of a range, unless all are known. @throws RemoteNodeError */
  async fetchHeaders(from: number, to: number): Promise<void> {
    const { view, settings } = this.#options;
    for (let first = from; first <= to; first += HEADERS_AT_ONCE) {
      const last = Math.min(first + HEADERS_AT_ONCE - 1, to);
      const heights = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      if (heights.every((height) => view.isKnown(headerStateKey(height)))) continue;
      const request = { path: `/blocks/headers/seq/${first}/${last}` };
      const headers = parseResponse(headersResponse, request, await this.#request(request, new Map()));
      const rows = headers.map((header) => ({
        row: written(blockTable, remoteBlockRow(header, settings)),
        part: headerStateKey(header.height),
      }));
      this.#write(`headers ${first} ${last}`, { rows: () => rows }, new Map());
    }
  }

  async #fetch(key: RemoteStateKey): Promise<void> {
    if (this.#options.view.isKnown(key)) return;
    const name = remoteStateKeyName(key);
    const pending = this.#inFlight.get(name);
    if (pending !== undefined) return pending;
    const fetching = this.#fetchOne(key, name).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, fetching);
    return fetching;
  }

  async #fetchOne(key: RemoteStateKey, name: string): Promise<void> {
    const { source, settings, view } = this.#options;
    const responses = new Map<RemoteRequest, RemoteResponse>();
    const fetched = await fetchRemoteState(key, {
      request: (request) => this.#request(request, responses),
      source,
      settings,
      own: view.own,
    });
    if (responses.size > 0 && fetched.owner !== undefined) await this.#checkUnchanged(fetched.owner, key);
    await this.fetchAll(fetched.needs ?? []);
    this.#write(name, fetched, responses);
  }

  async #request(request: RemoteRequest, responses: Map<RemoteRequest, RemoteResponse>): Promise<RemoteResponse> {
    const { known, remote } = this.#options;
    const stored = known.findResponse(request);
    if (stored !== undefined) return stored;
    const response = await remote.request(request);
    responses.set(request, response);
    return response;
  }

  /**
   * Checks that no transaction has touched the account since the fork's height: an ordinary node returns only the
   * present state.
   * @throws UnsupportedRemoteState if the fork is to be exact, and the account has changed
   */
  async #checkUnchanged(owner: string, key: RemoteStateKey): Promise<void> {
    const { remote, source, log } = this.#options;
    const request = { path: `/transactions/address/${owner}/limit/1` };
    const [[newest]] = parseResponse(newestTransactionsResponse, request, await remote.request(request));
    if (newest === undefined || newest.height <= source.height) return;
    const { height } = newest;
    const changeText = `the account ${owner} has changed at height ${height}, after the fork's height ${source.height}`;
    if (source.isExact)
      throw new UnsupportedRemoteState(
        `${changeText}: ${remoteStateKeyName(key)} was requested, and ${source.url} returns only its present state`,
      );
    if (this.#notified.has(owner)) return;
    if (this.#notified.size >= MAX_NOTIFIED) this.#notified.clear();
    this.#notified.add(owner);
    log(`fork: ${changeText}; its present state is read from here on`);
  }

  #write(name: string, { rows }: RemoteStateValue, responses: ReadonlyMap<RemoteRequest, RemoteResponse>): void {
    const { known, view, store, addBaseRows } = this.#options;
    addBaseRows(() => {
      const changes: RowChange[] = [];
      const seen = new Set<string>();
      for (const { row, part } of rows({ store, isKnown: (key) => view.isKnown(key) })) {
        if (part !== undefined && view.isKnown(part)) continue;
        if (part !== undefined) known.add(remoteStateKeyName(part));
        const { table } = row;
        const rowKey = `${table.name} ${keyText(table, row.row)}`;
        // An existing row was fetched before, or has been changed on the fork.
        if (seen.has(rowKey) || store.find(table, row.row) !== undefined) continue;
        seen.add(rowKey);
        changes.push(row);
      }
      known.add(name);
      for (const [request, response] of responses)
        if (response.text.length <= MAX_STORED_RESPONSE) known.storeResponse(request, response);
      return changes;
    });
  }
}

/** Services of a fork: the view of its state, the known remote state, and the live node. */
import type { ForkFetchResult, ForkRpc } from "../../../src/env.ts";
import type { ForkSource } from "../../../src/network/fork-source.ts";
import type { RemoteStateKey } from "../../../src/network/remote-state-key.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { AuthorizationExemption } from "../../../src/rules/state/authorization-exemption.ts";
import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import type { StateStore } from "../state/state-store.ts";
import { ForkState } from "./fork-state.ts";
import { ForkView } from "./fork-view.ts";
import { KnownRemoteState } from "./known-remote-state.ts";
import { RemoteNode, RemoteNodeError, type RemoteNodeOptions } from "./remote-node.ts";
import { UnsupportedRemoteState } from "./unsupported-remote-state.ts";

/** Number of blocks that the next draw looks back, and some more. */
const DRAWN_BLOCKS = 110;

export interface ForkOptions {
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
  readonly store: StateStore;
  readonly exemption: AuthorizationExemption | undefined;
  readonly fetch: RemoteNodeOptions["fetch"];
  readonly addBaseRows: (rows: () => readonly RowChange[]) => void;
  /** Resolves when readers see the written rows. */
  readonly publish: () => Promise<void>;
  readonly log: (message: string) => void;
}

export class Fork implements ForkRpc {
  readonly view: ForkView;
  readonly known: KnownRemoteState;
  readonly state: ForkState;
  readonly source: ForkSource;
  readonly #options: ForkOptions;

  constructor(wiring: ForkOptions) {
    const { source, settings, store, exemption, fetch, addBaseRows, log } = wiring;
    this.#options = wiring;
    this.source = source;
    this.known = new KnownRemoteState(store.sql);
    this.view = new ForkView({ store, settings, known: this.known, forkHeight: source.height, exemption });
    const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const remote = new RemoteNode({ url: source.url, fetch, pause });
    this.state = new ForkState({
      source,
      settings,
      store,
      view: this.view,
      known: this.known,
      remote,
      addBaseRows,
      log,
    });
  }

  /** Fetches the headers that draws need, in one request. */
  prepare(): Promise<void> {
    return this.state.fetchHeaders(Math.max(this.source.height - DRAWN_BLOCKS, 1), this.source.height - 1);
  }

  /** Fetches state for the Worker, which reads only the read model, and publishes it. */
  async fetchState(keys: RemoteStateKey[]): Promise<ForkFetchResult> {
    try {
      await this.state.fetchAll(keys);
      await this.#options.publish();
      return { kind: "known" };
    } catch (error) {
      if (error instanceof UnsupportedRemoteState) return { kind: "untold", message: error.message };
      if (!(error instanceof RemoteNodeError)) throw error;
      this.#options.log(`fork: ${error.message}`);
      return { kind: "unreachable", message: error.message };
    }
  }

  /**
   * Runs an operation that leaves nothing behind on failure, until no state is missing.
   * @throws RuleError if it needs state that no node returns; RemoteNodeError; errors of `run`
   */
  async attempt<T>(run: () => T): Promise<Awaited<T>> {
    try {
      return await this.state.attempt(run);
    } catch (error) {
      if (error instanceof UnsupportedRemoteState)
        throw new RuleError({ code: "generic", message: error.message }, { cause: error });
      throw error;
    }
  }
}

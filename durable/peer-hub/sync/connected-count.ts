/**
 * Reports of the number of connections to the chain: at the start, on each change, and once a minute while there is
 * any.
 */
import type { ChainForPeers, ChainTip } from "../../../src/rpc/chain-for-peers.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { ErrorLog } from "../error-log.ts";
import type { OpenPeers } from "./open-peers.ts";

const RENEWED_MS = 60_000;
/** Delay after an unreachable chain. */
const RETRY_MS = 1_000;

export interface ConnectedCountOptions {
  readonly errorLog: ErrorLog;
  readonly chain: ChainForPeers;
  readonly peers: OpenPeers;
  readonly timers: Timers;
  /**
   * Receives the tip of the chain, which is fetched with each report, since the chain's own event may have been lost.
   */
  readonly renewed: (tip: ChainTip) => void;
}

export class ConnectedCount {
  readonly #options: ConnectedCountOptions;
  #reported = 0;
  #isReporting = false;
  #renewal: Cancel | undefined;

  constructor(options: ConnectedCountOptions) {
    this.#options = options;
  }

  /** Reports zero connections: the chain may still count those of a previous process. */
  start(): void {
    void this.#report();
  }

  /** The number of connections may have changed. */
  changed(): void {
    if (this.#isReporting || this.#reported === this.#options.peers.size) return;
    void this.#report();
  }

  async #report(): Promise<void> {
    const { chain, peers, timers } = this.#options;
    this.#isReporting = true;
    this.#renewal?.();
    this.#reported = peers.size;
    let againMs = this.#reported > 0 ? RENEWED_MS : undefined;
    try {
      await chain.connected(this.#reported);
    } catch (error) {
      this.#options.errorLog.add("the number of connections was not reported to the chain", error);
      againMs = RETRY_MS;
    }
    this.#isReporting = false;
    this.#renewal = againMs === undefined ? undefined : timers.after(againMs, () => void this.#renew());
    this.changed();
  }

  async #renew(): Promise<void> {
    await this.#report();
    try {
      this.#options.renewed(await this.#options.chain.chainTip());
    } catch (error) {
      this.#options.errorLog.add("the chain did not return its tip", error);
    }
  }
}

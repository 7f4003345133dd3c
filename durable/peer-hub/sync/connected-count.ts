/**
 * Reports of the number of connections to the chain: at the start, on each change, and once a minute while there is
 * any.
 */
import type { ChainForPeers, ChainStanding } from "../../../src/rpc/chain-for-peers.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { FaultLog } from "../error-log.ts";
import type { OpenPeers } from "./open-peers.ts";

const RENEWED_MS = 60_000;
/** Delay after an unreachable chain. */
const RETRY_MS = 1_000;

export interface ConnectedCountFacts {
  readonly faults: FaultLog;
  readonly chain: ChainForPeers;
  readonly peers: OpenPeers;
  readonly timers: Timers;
  /**
   * Receives the tip of the chain, which is fetched with each report, since the chain's own event may have been lost.
   */
  readonly renewed: (standing: ChainStanding) => void;
}

export class ConnectedCount {
  readonly #facts: ConnectedCountFacts;
  #told = 0;
  #isTelling = false;
  #renewal: Cancel | undefined;

  constructor(options: ConnectedCountFacts) {
    this.#facts = options;
  }

  /** Reports zero connections: the chain may still count those of a previous process. */
  start(): void {
    void this.#tell();
  }

  /** The number of connections may have changed. */
  changed(): void {
    if (this.#isTelling || this.#told === this.#facts.peers.size) return;
    void this.#tell();
  }

  async #tell(): Promise<void> {
    const { chain, peers, timers } = this.#facts;
    this.#isTelling = true;
    this.#renewal?.();
    this.#told = peers.size;
    let againMs = this.#told > 0 ? RENEWED_MS : undefined;
    try {
      await chain.connected(this.#told);
    } catch (error) {
      this.#facts.faults.add("the number of connections was not reported to the chain", error);
      againMs = RETRY_MS;
    }
    this.#isTelling = false;
    this.#renewal = againMs === undefined ? undefined : timers.after(againMs, () => void this.#renew());
    this.changed();
  }

  async #renew(): Promise<void> {
    await this.#tell();
    try {
      this.#facts.renewed(await this.#facts.chain.standing());
    } catch (error) {
      this.#facts.faults.add("the chain did not return its tip", error);
    }
  }
}

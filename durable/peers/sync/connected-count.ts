/** Tells the chain with how many nodes there is a connection: at the start, on each change, and once a minute as long as there is one. */
import type { ChainForPeers, ChainStanding } from "../chain-for-peers.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { FaultLog } from "../fault-log.ts";
import type { OpenPeers } from "./open-peers.ts";

const RENEWED_MS = 60_000;
/** After the chain was not to be reached. */
const RETRY_MS = 1_000;

export interface ConnectedCountFacts {
  readonly faults: FaultLog;
  readonly chain: ChainForPeers;
  readonly peers: OpenPeers;
  readonly timers: Timers;
  /** Where the chain stands is asked with it: what it has told may have been lost on the way. */
  readonly renewed: (standing: ChainStanding) => void;
}

export class ConnectedCount {
  readonly #facts: ConnectedCountFacts;
  #told = 0;
  #isTelling = false;
  #renewal: Cancel | undefined;

  constructor(facts: ConnectedCountFacts) {
    this.#facts = facts;
  }

  /** There are none yet: the chain may still count those of whoever was here before. */
  start(): void {
    void this.#tell();
  }

  /** There may be more of them, or fewer. */
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
      this.#facts.faults.add("the chain was not told of the connections", error);
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
      this.#facts.faults.add("the chain did not say where it stands", error);
    }
  }
}

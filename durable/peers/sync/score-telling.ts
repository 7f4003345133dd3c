/**
 * Tells the peers what our chain weighs: each once it is there, and all when it has changed, once a second at most.
 * @source Waves: Application.scala (lastScore), network/HistoryReplierL1.scala
 */
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { frameOf, type MessageContext } from "../../../src/protocol/messages/message-table.ts";
import type { ChainStanding } from "../chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import type { KnownStanding, StandingListener } from "./known-standing.ts";
import type { OpenPeers } from "./open-peers.ts";

const TOGETHER_MS = 1_000;

export interface ScoreTellingFacts {
  readonly peers: OpenPeers;
  readonly standing: KnownStanding;
  readonly timers: Timers;
  readonly messages: MessageContext;
}

export class ScoreTelling implements StandingListener {
  readonly #facts: ScoreTellingFacts;
  #isWaiting = false;

  constructor(facts: ScoreTellingFacts) {
    this.#facts = facts;
    facts.standing.listen(this);
  }

  opened(peer: Peer): void {
    const { current } = this.#facts.standing;
    if (current !== undefined) peer.send({ kind: "score", value: current.score });
  }

  changed({ score }: ChainStanding, before: ChainStanding | undefined): void {
    // Whoever comes later is told then.
    if (this.#isWaiting || before?.score === score || this.#facts.peers.size === 0) return;
    this.#isWaiting = true;
    this.#facts.timers.after(TOGETHER_MS, () => {
      this.#isWaiting = false;
      this.#tellAll();
    });
  }

  #tellAll(): void {
    const { peers, standing, messages } = this.#facts;
    if (standing.current === undefined) return;
    peers.broadcast(encodeFrame(frameOf({ kind: "score", value: standing.current.score }, messages)));
  }
}

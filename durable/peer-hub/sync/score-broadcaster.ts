/**
 * Sends our score to the peers: to each once it is connected and again a little later, and to all when the score has
 * changed, once a second at most.
 * @source Waves: Application.scala (lastScore), network/HistoryReplierL1.scala
 */
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { frameOf, type MessageContext } from "../../../src/protocol/messages/message-table.ts";
import type { ChainStanding } from "../../../src/rpc/chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import type { KnownStanding, StandingListener } from "./known-tip.ts";
import type { OpenPeers } from "./open-peers.ts";

const TOGETHER_MS = 1_000;
/**
 * Delay of the second score to a new peer. The reference may miss the first one, as it sends before it listens to
 * scores, and would wait for another one until the next block.
 */
const AGAIN_MS = 10_000;

export interface ScoreTellingFacts {
  readonly peers: OpenPeers;
  readonly standing: KnownStanding;
  readonly timers: Timers;
  readonly messages: MessageContext;
}

export class ScoreTelling implements StandingListener {
  readonly #facts: ScoreTellingFacts;
  #isWaiting = false;

  constructor(options: ScoreTellingFacts) {
    this.#facts = options;
    options.standing.listen(this);
  }

  opened(peer: Peer): void {
    this.#tell(peer);
    this.#facts.timers.after(AGAIN_MS, () => this.#tell(peer));
  }

  changed({ score }: ChainStanding, before: ChainStanding | undefined): void {
    // A peer that connects later gets the score then.
    if (this.#isWaiting || before?.score === score || this.#facts.peers.size === 0) return;
    this.#isWaiting = true;
    this.#facts.timers.after(TOGETHER_MS, () => {
      this.#isWaiting = false;
      this.#tellAll();
    });
  }

  #tell(peer: Peer): void {
    const { peers, standing } = this.#facts;
    if (standing.current !== undefined && peers.has(peer)) peer.send({ kind: "score", value: standing.current.score });
  }

  #tellAll(): void {
    const { peers, standing, messages } = this.#facts;
    if (standing.current === undefined) return;
    peers.broadcast(encodeFrame(frameOf({ kind: "score", value: standing.current.score }, messages)));
  }
}

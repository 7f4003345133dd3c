/**
 * Sends our score to the peers: to each once it is connected and again a little later, and to all when the score has
 * changed, once a second at most.
 * @source Waves: Application.scala (lastScore), network/HistoryReplierL1.scala
 */
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { frameOf, type MessageContext } from "../../../src/protocol/messages/message-table.ts";
import type { ChainTip } from "../../../src/rpc/chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import type { KnownTip, TipListener } from "./known-tip.ts";
import type { OpenPeers } from "./open-peers.ts";

const BATCH_MS = 1_000;
/**
 * Delay of the second score to a new peer. The reference may miss the first one, as it sends before it listens to
 * scores, and would wait for another one until the next block.
 */
const AGAIN_MS = 10_000;

export interface ScoreBroadcasterOptions {
  readonly peers: OpenPeers;
  readonly tip: KnownTip;
  readonly timers: Timers;
  readonly messages: MessageContext;
}

export class ScoreBroadcaster implements TipListener {
  readonly #options: ScoreBroadcasterOptions;
  #isWaiting = false;

  constructor(options: ScoreBroadcasterOptions) {
    this.#options = options;
    options.tip.listen(this);
  }

  opened(peer: Peer): void {
    this.#send(peer);
    this.#options.timers.after(AGAIN_MS, () => this.#send(peer));
  }

  changed({ score }: ChainTip, before: ChainTip | undefined): void {
    // A peer that connects later gets the score then.
    if (this.#isWaiting || before?.score === score || this.#options.peers.size === 0) return;
    this.#isWaiting = true;
    this.#options.timers.after(BATCH_MS, () => {
      this.#isWaiting = false;
      this.#broadcast();
    });
  }

  #send(peer: Peer): void {
    const { peers, tip } = this.#options;
    if (tip.current !== undefined && peers.has(peer)) peer.send({ kind: "score", value: tip.current.score });
  }

  #broadcast(): void {
    const { peers, tip, messages } = this.#options;
    if (tip.current === undefined) return;
    peers.broadcast(encodeFrame(frameOf({ kind: "score", value: tip.current.score }, messages)));
  }
}

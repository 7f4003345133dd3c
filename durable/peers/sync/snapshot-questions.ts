/**
 * Snapshots of blocks and micro-blocks that came by themselves: one peer is asked at a time, and not waited for long. What was asked
 * for is kept in memory meanwhile, so much of it and no more.
 */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import type { Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import { type SentSnapshots, sentSnapshots } from "./sent-snapshots.ts";

/** Of what waits, as it was sent. */
const mostWaitingBytes = {
  getBlockSnapshot: peerHubBytes.blocksWithoutSnapshots,
  getMicroBlockSnapshot: peerHubBytes.microBlocksWithoutSnapshots,
} as const;

export interface SnapshotQuestionsFacts {
  readonly kind: "getBlockSnapshot" | "getMicroBlockSnapshot";
  readonly timers: Timers;
  /** For an answer. */
  readonly waitMs: number;
}

/** What waits for its snapshots. */
export interface WaitingBlock {
  /** Total id of a micro-block. */
  readonly id: BlockId;
  readonly sizeBytes: number;
  /** How many snapshots are to come. */
  readonly awaits: number;
}

interface Asked {
  readonly peer: Peer;
  readonly awaits: number;
  readonly settle: (answer: SentSnapshots | undefined) => void;
}

export class SnapshotQuestions {
  readonly #facts: SnapshotQuestionsFacts;
  readonly #asked = new Map<BytesKey, Asked>();
  #waitingBytes = 0;

  constructor(facts: SnapshotQuestionsFacts) {
    this.#facts = facts;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /**
   * Asks one peer after the other until it is settled what becomes of the block.
   * @param next who is to be asked; undefined: nobody any more
   * @param use the snapshots. @returns whether the block is settled; who has sent them is shut out otherwise
   * @returns whether it is; false at once where there is no room for it, or it waits already
   */
  async settle(
    block: WaitingBlock,
    next: () => Peer | undefined,
    use: (snapshots: SentSnapshots) => Promise<boolean>,
  ): Promise<boolean> {
    const key = bytesKey(block.id);
    if (this.#asked.has(key) || this.#waitingBytes + block.sizeBytes > mostWaitingBytes[this.#facts.kind]) return false;
    this.#waitingBytes += block.sizeBytes;
    try {
      for (let peer = next(); peer !== undefined; peer = next()) {
        const snapshots = await this.#ask(peer, block);
        if (snapshots !== undefined && (await use(snapshots))) return true;
      }
      return false;
    } finally {
      this.#waitingBytes -= block.sizeBytes;
    }
  }

  isAsked(peer: Peer): boolean {
    return [...this.#asked.values()].some((asked) => asked.peer === peer);
  }

  /** @returns whether the peer was asked for these */
  received(peer: Peer, sent: BlockSnapshot): boolean {
    const asked = this.#asked.get(bytesKey(sent.blockId));
    if (asked?.peer !== peer) return false;
    asked.settle(sentSnapshots(peer, sent, asked.awaits));
    return true;
  }

  /** Nothing comes from the peer any more. */
  closed(peer: Peer): void {
    for (const asked of [...this.#asked.values()]) if (asked.peer === peer) asked.settle(undefined);
  }

  /** @returns undefined: it has not sent them */
  #ask(peer: Peer, { id, awaits }: WaitingBlock): Promise<SentSnapshots | undefined> {
    const { kind, timers, waitMs } = this.#facts;
    const key = bytesKey(id);
    return new Promise((resolve) => {
      const settle = (answer: SentSnapshots | undefined): void => {
        cancel();
        this.#asked.delete(key);
        resolve(answer);
      };
      const cancel = timers.after(waitMs, () => settle(undefined));
      this.#asked.set(key, { peer, awaits, settle });
      peer.send({ kind, value: id });
    });
  }
}

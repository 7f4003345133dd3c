/**
 * Requests for the snapshots of unrequested blocks and micro-blocks: to one peer at a time, with a short timeout. The
 * blocks wait in memory, up to a bound.
 */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import type { Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import { type SentSnapshots, sentSnapshots } from "./sent-snapshots.ts";

/** Maximum size of the waiting blocks, as they were sent. */
const mostWaitingBytes = {
  getBlockSnapshot: peerHubBytes.blocksWithoutSnapshots,
  getMicroBlockSnapshot: peerHubBytes.microBlocksWithoutSnapshots,
} as const;

export interface SnapshotRequestsOptions {
  readonly kind: "getBlockSnapshot" | "getMicroBlockSnapshot";
  readonly timers: Timers;
  /** Timeout of a response. */
  readonly waitMs: number;
}

/** Block that waits for its snapshots. */
export interface WaitingBlock {
  /** Total id of a micro-block. */
  readonly id: BlockId;
  readonly sizeBytes: number;
  /** Number of expected snapshots. */
  readonly awaits: number;
}

interface PendingRequest {
  readonly peer: Peer;
  readonly awaits: number;
  readonly settle: (snapshots: SentSnapshots | undefined) => void;
}

export class SnapshotRequests {
  readonly #options: SnapshotRequestsOptions;
  readonly #pending = new Map<BytesKey, PendingRequest>();
  #waitingBytes = 0;

  constructor(options: SnapshotRequestsOptions) {
    this.#options = options;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /**
   * Requests the snapshots from one peer after the other until the block is settled.
   * @param next next peer; undefined: there are no more
   * @param use applies the snapshots. @returns whether the block is settled; otherwise their sender is blacklisted
   * @returns whether the block is settled; false at once if there is no room, or the block waits already
   */
  async settle(
    block: WaitingBlock,
    next: () => Peer | undefined,
    use: (snapshots: SentSnapshots) => Promise<boolean>,
  ): Promise<boolean> {
    const key = bytesKey(block.id);
    if (this.#pending.has(key) || this.#waitingBytes + block.sizeBytes > mostWaitingBytes[this.#options.kind])
      return false;
    this.#waitingBytes += block.sizeBytes;
    try {
      for (let peer = next(); peer !== undefined; peer = next()) {
        const snapshots = await this.#request(peer, block);
        if (snapshots !== undefined && (await use(snapshots))) return true;
      }
      return false;
    } finally {
      this.#waitingBytes -= block.sizeBytes;
    }
  }

  isPending(peer: Peer): boolean {
    return [...this.#pending.values()].some((request) => request.peer === peer);
  }

  /** @returns whether the snapshots were requested from the peer */
  received(peer: Peer, sent: BlockSnapshot): boolean {
    const request = this.#pending.get(bytesKey(sent.blockId));
    if (request?.peer !== peer) return false;
    request.settle(sentSnapshots(peer, sent, request.awaits));
    return true;
  }

  /** The peer has disconnected. */
  closed(peer: Peer): void {
    for (const request of [...this.#pending.values()]) if (request.peer === peer) request.settle(undefined);
  }

  /** @returns undefined: the peer has not sent them */
  #request(peer: Peer, { id, awaits }: WaitingBlock): Promise<SentSnapshots | undefined> {
    const { kind, timers, waitMs } = this.#options;
    const key = bytesKey(id);
    return new Promise((resolve) => {
      const settle = (snapshots: SentSnapshots | undefined): void => {
        cancel();
        this.#pending.delete(key);
        resolve(snapshots);
      };
      const cancel = timers.after(waitMs, () => settle(undefined));
      this.#pending.set(key, { peer, awaits, settle });
      peer.send({ kind, value: id });
    });
  }
}

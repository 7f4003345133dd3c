/**
 * Requests the blocks of an extension from its origin (the peer that named them) and from others with a chain of the
 * same score. The number of concurrent requests follows from the size of the blocks and the free room.
 */

import { isOneSubscriber } from "../../../src/network/subscriber.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import { afterAwake } from "./awake-timer.ts";
import type { Extension } from "./extension.ts";

/** Bytes for blocks that are buffered or requested. */
const ROOM_BYTES = 8 * 2 ** 20;
/** Upper bound for buffered blocks, including those in transit to the chain. */
export const MOST_BYTES = peerHubBytes.extensionBlocks;
const MOST_IN_FLIGHT = 100;
/** Size estimate before the first block, and lower bound of the estimate. */
const FIRST_BLOCK_BYTES = 256 * 2 ** 10;
const SMALLEST_BLOCK_BYTES = 4 * 2 ** 10;
/** Shorter extensions come from one peer. */
const SHARED_FROM = 8;
/** A peer that sends nothing for this long, up to twice as long, is given up if there is another one. */
const SLOW_MS = 5_000;
/**
 * Time limits, in multiples of `stallMs`, for an extension of which the chain applies nothing while another peer is
 * ahead: `alone` since another host than the origin's sent a block of it, `shared` since the extension was started.
 */
const OVERDUE_TIMES = { alone: 1, shared: 5 } as const;

export interface DownloadOptions {
  readonly timers: Timers;
  /** Peers with at least this score. */
  readonly peersWith: (score: bigint) => Iterable<Peer>;
  /** Peers with a higher score than ours. */
  readonly peersAhead: () => Iterable<Peer>;
  /** The chain is at work, which may keep messages of peers unread. */
  readonly isChainBusy: () => boolean;
  /** Bytes of blocks that have left their extension and are not with the chain yet. */
  readonly bytesInTransit: () => number;
  readonly stallMs: number;
  /** Called when nothing has arrived for `stallMs`. */
  readonly stalled: (extension: Extension) => void;
  /** Whether the peer was too slow before. */
  readonly isDeprioritized: (peer: Peer) => boolean;
  /** Whether another peer is ahead of us. */
  readonly isAnotherAhead: (peer: Peer) => boolean;
  /** Called when blocks arrive but the chain has applied none for long. */
  readonly overdue: (extension: Extension) => void;
  /**
   * Called when the origin has been slow for some time.
   * @returns whether it has another chain by now, and the extension was given up
   */
  readonly hasMoved: (extension: Extension) => boolean;
  /**
   * Called when every peer is slow to send the missing blocks.
   * @returns whether only the last block was missing, and the extension goes on without it or was given up
   */
  readonly hasGrown: (extension: Extension) => boolean;
}

export class Download {
  readonly #options: DownloadOptions;
  /** Estimate from recent blocks. */
  #blockBytes = FIRST_BLOCK_BYTES;
  #extension: Extension | undefined;
  /** Number of blocks sent by each peer since the last check. */
  #sent = new Map<Peer, number>();
  /** Peers whose first request came after the last check. */
  #fresh = new Set<Peer>();
  /** Slow peers of this extension. */
  #slow = new Set<Peer>();
  readonly #isClosed = new WeakSet<Peer>();
  /** Peers of this extension whose requests went to another peer. They may still be sending the blocks. */
  #relieved = new Set<Peer>();
  #stall: Cancel | undefined;
  #look: Cancel | undefined;
  /** Number of checks since the chain applied something, and since another host than the origin's sent something. */
  #looks = 0;
  #looksAlone = 0;

  constructor(options: DownloadOptions) {
    this.#options = options;
  }

  begin(extension: Extension): void {
    this.end();
    this.#extension = extension;
    this.requestMore();
  }

  end(): void {
    this.#extension = undefined;
    this.#sent.clear();
    this.#fresh.clear();
    this.#slow.clear();
    this.#relieved.clear();
    this.progressed();
    this.#stall?.();
    this.#look?.();
    this.#stall = undefined;
    this.#look = undefined;
  }

  /**
   * A block of the extension has arrived, or its snapshots.
   * @param sizeBytes size of the block with its snapshots so far
   */
  received(peer: Peer, sizeBytes: number): void {
    this.noteSent(peer);
    this.#blockBytes = Math.max(SMALLEST_BLOCK_BYTES, sizeBytes, this.#blockBytes * 0.9);
    this.#stall?.();
    this.#stall = undefined;
  }

  /** The peer has sent a block of the extension, possibly after another peer. */
  noteSent(peer: Peer): void {
    this.#sent.set(peer, this.#sentBy(peer) + 1);
    this.#slow.delete(peer);
    const host = this.#extension?.origin.remote.ip;
    if (host !== undefined && !isOneSubscriber(host, peer.remote.ip)) this.#looksAlone = 0;
  }

  /** The chain has applied blocks. */
  progressed(): void {
    this.#looks = 0;
    this.#looksAlone = 0;
  }

  /**
   * The peer has disconnected.
   * @returns whether no peer is left that could send the missing blocks
   */
  closed(peer: Peer): boolean {
    this.#isClosed.add(peer);
    this.#slow.delete(peer);
    const extension = this.#extension;
    if (extension === undefined) return false;
    extension.giveUpOn(peer);
    this.requestMore();
    return this.#extension === extension && extension.missing > 0 && this.#sources(extension).length === 0;
  }

  /** Requests as many blocks as there is room for. */
  requestMore(): void {
    const extension = this.#extension;
    if (extension === undefined) return;
    for (let next = extension.findNext(); next !== undefined; next = extension.findNext()) {
      if (!next.isUrgent && extension.inFlight >= this.#room(extension)) break;
      const peer = this.#choosePeer(extension);
      if (peer === undefined) break;
      if (extension.inFlightOf(peer) === 0) this.#fresh.add(peer);
      peer.send(extension.request(next.index, peer));
      // A peer whose queue is full is disconnected, which may end the extension.
      if (this.#extension !== extension) return;
    }
    if (extension.inFlight > 0) this.#watch(extension);
  }

  #room(extension: Extension): number {
    const freeBytes = ROOM_BYTES - extension.bufferedBytes - this.#options.bytesInTransit();
    return Math.min(MOST_IN_FLIGHT, Math.floor(freeBytes / this.#blockBytes));
  }

  /** The peer with the fewest open requests. Slow ones are used only if there are no others. */
  #choosePeer(extension: Extension): Peer | undefined {
    const all = this.#sources(extension);
    const quick = all.filter((peer) => !this.#slow.has(peer));
    let chosen: Peer | undefined;
    for (const peer of quick.length > 0 ? quick : all) {
      if (chosen === undefined || extension.inFlightOf(peer) < extension.inFlightOf(chosen)) chosen = peer;
    }
    return chosen;
  }

  #sources(extension: Extension, isOriginSlow = this.#slow.has(extension.origin)): Peer[] {
    const { origin } = extension;
    const isOriginThere = !this.#isClosed.has(origin);
    if (isOriginThere && extension.ids.length < SHARED_FROM && !isOriginSlow) return [origin];
    // A false score is one that no other peer has.
    const { peersWith, peersAhead } = this.#options;
    const others = [...(isOriginSlow ? peersAhead() : peersWith(extension.from.score))].filter(
      (peer) => peer !== origin,
    );
    return isOriginThere ? [origin, ...others] : others;
  }

  #watch(extension: Extension): void {
    const { timers, stallMs, stalled, isChainBusy } = this.#options;
    this.#stall ??= afterAwake(timers, stallMs, () => {
      this.#stall = undefined;
      if (extension.inFlight === 0) return;
      if (isChainBusy()) this.#watch(extension);
      else stalled(extension);
    });
    this.#look ??= afterAwake(timers, SLOW_MS, () => {
      this.#look = undefined;
      this.#lookAfter(extension);
    });
  }

  /**
   * Marks as slow a peer with requests from before the last check that has sent nothing since, or too little of what it
   * named.
   */
  #lookAfter(extension: Extension): void {
    const { isDeprioritized, isAnotherAhead, overdue, hasMoved, hasGrown } = this.#options;
    const { origin } = extension;
    if ((this.#isOverdue() || isDeprioritized(origin)) && isAnotherAhead(origin)) {
      overdue(extension);
      return;
    }
    const old = [...extension.requestedPeers].filter((peer) => !this.#fresh.has(peer));
    const silent = old.filter((peer) => this.#sentBy(peer) === 0);
    const late = old.filter((peer) => this.#isLate(extension, peer));
    this.#sent.clear();
    this.#fresh.clear();
    if (silent.includes(origin) && this.#slow.has(origin) && hasMoved(extension)) return;
    for (const peer of silent) this.#slow.add(peer);
    const hasQuickSource = this.#sources(extension).some((peer) => !this.#slow.has(peer));
    if (hasQuickSource) this.#relieve(extension, silent);
    else if (silent.length > 0 && hasGrown(extension)) return;
    // A peer with open requests of its own would only send the block a second time.
    const isIdle = (peer: Peer) =>
      extension.inFlightOf(peer) === 0 && !this.#relieved.has(peer) && !this.#slow.has(peer);
    if (this.#sources(extension, true).some(isIdle)) this.#relieve(extension, late);
    this.requestMore();
  }

  #relieve(extension: Extension, peers: Iterable<Peer>): void {
    for (const peer of peers) {
      extension.giveUpOn(peer);
      this.#slow.add(peer);
      this.#relieved.add(peer);
    }
  }

  #isOverdue(): boolean {
    const { isChainBusy, stallMs } = this.#options;
    if (isChainBusy()) return false;
    this.#looks += 1;
    this.#looksAlone += 1;
    const { alone, shared } = OVERDUE_TIMES;
    return this.#looksAlone * SLOW_MS >= alone * stallMs || this.#looks * SLOW_MS >= shared * stallMs;
  }

  /** Whether the peer, at its recent rate, needs longer for its open requests than one block may take. */
  #isLate(extension: Extension, peer: Peer): boolean {
    return extension.inFlightOf(peer) * SLOW_MS > this.#sentBy(peer) * this.#options.stallMs;
  }

  #sentBy(peer: Peer): number {
    return this.#sent.get(peer) ?? 0;
  }
}

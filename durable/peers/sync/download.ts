/**
 * Asks peers for the blocks of an extension: the one that has named them, and others that say that their chain weighs as much.
 * How many are asked for at once follows from how large blocks are and from how much room there is.
 */

import { isOneSubscriber } from "../../../src/network/subscriber.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import { afterAwake } from "./awake-timer.ts";
import type { Extension } from "./extension.ts";

/** Blocks that are here or on their way may take so much. */
const ROOM_BYTES = 8 * 2 ** 20;
/** Blocks that are here never take more, with what is on its way to the chain. */
export const MOST_BYTES = peerHubBytes.extensionBlocks;
const MOST_IN_FLIGHT = 100;
/** A first guess, and what a block is taken for at least. */
const FIRST_BLOCK_BYTES = 256 * 2 ** 10;
const SMALLEST_BLOCK_BYTES = 4 * 2 ** 10;
/** Extensions that are shorter come from one peer. */
const SHARED_FROM = 8;
/** Who sends nothing for so long, or up to twice as long, is not waited for where there is somebody else to ask. */
const SLOW_MS = 5_000;
/**
 * So many times as long as for one block an extension is waited for of which the chain takes nothing while somebody else is to be
 * synced with: since any other host has sent a block of it, and since it was begun.
 */
const OVERDUE_TIMES = { alone: 1, shared: 5 } as const;

export interface DownloadFacts {
  readonly timers: Timers;
  /** Who says that its chain weighs so much. */
  readonly peersWith: (score: bigint) => Iterable<Peer>;
  /** Who says that its chain weighs more than ours. */
  readonly peersAhead: () => Iterable<Peer>;
  /** The chain is at work, which may keep peers from being heard. */
  readonly isChainBusy: () => boolean;
  /** Bytes of blocks that are in no extension any more, but not with the chain yet. */
  readonly bytesOnTheWay: () => number;
  readonly stallMs: number;
  /** Nothing came for so long. */
  readonly stalled: (extension: Extension) => void;
  /** It was too slow before. */
  readonly isSetBack: (peer: Peer) => boolean;
  /** Whether somebody else is to be synced with. */
  readonly isAnotherAhead: (peer: Peer) => boolean;
  /** Blocks come, but the chain has taken none for long. */
  readonly overdue: (extension: Extension) => void;
  /**
   * Who has named the blocks has been slow for some time.
   * @returns whether it has another chain by now, and the extension was given up
   */
  readonly hasMoved: (extension: Extension) => boolean;
  /**
   * Nobody is quick to send what is missing.
   * @returns whether that was but the last block, and the extension does without it, or was given up
   */
  readonly hasGrown: (extension: Extension) => boolean;
}

export class Download {
  readonly #facts: DownloadFacts;
  /** Of blocks that came lately. */
  #blockBytes = FIRST_BLOCK_BYTES;
  #extension: Extension | undefined;
  /** How many blocks they have sent since it was looked last. */
  #sent = new Map<Peer, number>();
  /** They were asked for the first thing since then. */
  #fresh = new Set<Peer>();
  /** They have let us wait, in this extension. */
  #slow = new Set<Peer>();
  readonly #isClosed = new WeakSet<Peer>();
  /** Somebody else was asked for what they were asked for, in this extension. They may still be sending it. */
  #relieved = new Set<Peer>();
  #stall: Cancel | undefined;
  #look: Cancel | undefined;
  /** How often it was looked since the chain has taken something; and since anybody but the origin's host has sent something. */
  #looks = 0;
  #looksAlone = 0;

  constructor(facts: DownloadFacts) {
    this.#facts = facts;
  }

  begin(extension: Extension): void {
    this.end();
    this.#extension = extension;
    this.askForMore();
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

  /** A block of the extension has come, or its snapshots. @param sizeBytes of all that has come of it */
  received(peer: Peer, sizeBytes: number): void {
    this.heard(peer);
    this.#blockBytes = Math.max(SMALLEST_BLOCK_BYTES, sizeBytes, this.#blockBytes * 0.9);
    this.#stall?.();
    this.#stall = undefined;
  }

  /** The peer has sent a block of the extension, which may have come from another one before. */
  heard(peer: Peer): void {
    this.#sent.set(peer, this.#sentBy(peer) + 1);
    this.#slow.delete(peer);
    const host = this.#extension?.origin.remote.ip;
    if (host !== undefined && !isOneSubscriber(host, peer.remote.ip)) this.#looksAlone = 0;
  }

  /** The chain has taken blocks. */
  progressed(): void {
    this.#looks = 0;
    this.#looksAlone = 0;
  }

  /**
   * Nothing comes from the peer any more.
   * @returns whether there is nobody left who could send what is missing
   */
  closed(peer: Peer): boolean {
    this.#isClosed.add(peer);
    this.#slow.delete(peer);
    const extension = this.#extension;
    if (extension === undefined) return false;
    extension.giveUpOn(peer);
    this.askForMore();
    return this.#extension === extension && extension.missing > 0 && this.#sources(extension).length === 0;
  }

  /** Asks for as many blocks as there is room for. */
  askForMore(): void {
    const extension = this.#extension;
    if (extension === undefined) return;
    for (let next = extension.findNext(); next !== undefined; next = extension.findNext()) {
      if (!next.isUrgent && extension.inFlight >= this.#room(extension)) break;
      const peer = this.#choosePeer(extension);
      if (peer === undefined) break;
      if (extension.inFlightOf(peer) === 0) this.#fresh.add(peer);
      peer.send(extension.ask(next.index, peer));
      // A peer that takes no more is closed, which may be the end of the extension.
      if (this.#extension !== extension) return;
    }
    if (extension.inFlight > 0) this.#watch(extension);
  }

  #room(extension: Extension): number {
    const freeBytes = ROOM_BYTES - extension.heldBytes - this.#facts.bytesOnTheWay();
    return Math.min(MOST_IN_FLIGHT, Math.floor(freeBytes / this.#blockBytes));
  }

  /** The one of whom the least is awaited. Who was slow is asked where nobody else is. */
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
    // A score that is a lie is one that no other peer has.
    const { peersWith, peersAhead } = this.#facts;
    const others = [...(isOriginSlow ? peersAhead() : peersWith(extension.from.score))].filter(
      (peer) => peer !== origin,
    );
    return isOriginThere ? [origin, ...others] : others;
  }

  #watch(extension: Extension): void {
    const { timers, stallMs, stalled, isChainBusy } = this.#facts;
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

  /** Who was asked before it was looked last, and has sent nothing since, or little of what it has named, is slow. */
  #lookAfter(extension: Extension): void {
    const { isSetBack, isAnotherAhead, overdue, hasMoved, hasGrown } = this.#facts;
    const { origin } = extension;
    if ((this.#isOverdue() || isSetBack(origin)) && isAnotherAhead(origin)) {
      overdue(extension);
      return;
    }
    const old = [...extension.asked].filter((peer) => !this.#fresh.has(peer));
    const silent = old.filter((peer) => this.#sentBy(peer) === 0);
    const late = old.filter((peer) => this.#isLate(extension, peer));
    this.#sent.clear();
    this.#fresh.clear();
    if (silent.includes(origin) && this.#slow.has(origin) && hasMoved(extension)) return;
    for (const peer of silent) this.#slow.add(peer);
    const isSomebodyElseThere = this.#sources(extension).some((peer) => !this.#slow.has(peer));
    if (isSomebodyElseThere) this.#relieve(extension, silent);
    else if (silent.length > 0 && hasGrown(extension)) return;
    // Who has as much to send would but send this once more.
    const isIdle = (peer: Peer) =>
      extension.inFlightOf(peer) === 0 && !this.#relieved.has(peer) && !this.#slow.has(peer);
    if (this.#sources(extension, true).some(isIdle)) this.#relieve(extension, late);
    this.askForMore();
  }

  #relieve(extension: Extension, peers: Iterable<Peer>): void {
    for (const peer of peers) {
      extension.giveUpOn(peer);
      this.#slow.add(peer);
      this.#relieved.add(peer);
    }
  }

  #isOverdue(): boolean {
    const { isChainBusy, stallMs } = this.#facts;
    if (isChainBusy()) return false;
    this.#looks += 1;
    this.#looksAlone += 1;
    const { alone, shared } = OVERDUE_TIMES;
    return this.#looksAlone * SLOW_MS >= alone * stallMs || this.#looks * SLOW_MS >= shared * stallMs;
  }

  /** At the peer's pace what it was asked for takes longer than one block may. */
  #isLate(extension: Extension, peer: Peer): boolean {
    return extension.inFlightOf(peer) * SLOW_MS > this.#sentBy(peer) * this.#facts.stallMs;
  }

  #sentBy(peer: Peer): number {
    return this.#sent.get(peer) ?? 0;
  }
}

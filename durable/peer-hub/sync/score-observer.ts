/**
 * Scores of the peers' chains, and the choice of the peer to sync with: the one with the highest score, if it is higher
 * than ours.
 * @source Waves: network/RxScoreObserver.scala
 */
import { isOneSubscriber, subscriberOf } from "../../../src/network/subscriber.ts";
import type { Cancel, Timers } from "../connection.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";

/** Peer to sync with. */
export interface SyncWith {
  readonly peer: Peer;
  readonly score: bigint;
}

/** A score that is replaced within this time is ignored. */
const SETTLED_MS = 1_000;
/** Time for which a score without blocks is ignored. */
const FORGOTTEN_MS = 10_000;
/** `ttlMs`: time for which the host of a slow peer comes after all others. `maxSize`: maximum of remembered hosts. */
const SET_BACK = { ttlMs: 60 * 60_000, maxSize: 10_000 } as const;

export interface ScoreObserverFacts {
  readonly ttlMs: number;
  readonly timers: Timers;
  /** Called when the best peer may have changed. */
  readonly changed: () => void;
}

interface Advertised {
  /** Last score of the peer. */
  last: bigint;
  /** Score that counts; undefined: not settled, or without blocks. */
  score: bigint | undefined;
  expiresMs: number;
  cancel: Cancel | undefined;
}

export class ScoreObserver {
  readonly #facts: ScoreObserverFacts;
  readonly #advertised = new Map<Peer, Advertised>();
  readonly #setBack: ExpiringMap<true, string>;
  #ours: bigint | undefined;
  #bestPeer: Peer | undefined;

  constructor(options: ScoreObserverFacts) {
    this.#facts = options;
    this.#setBack = new ExpiringMap({ ...SET_BACK, nowMs: () => options.timers.nowMs() });
  }

  /** Sets our own score. */
  changedOurs(score: bigint): void {
    if (score === this.#ours) return;
    this.#ours = score;
    this.#facts.changed();
  }

  received(peer: Peer, score: bigint): void {
    const before = this.#advertised.get(peer);
    if (before?.last === score) {
      if (before.score === score) this.confirm(peer);
      return;
    }
    before?.cancel?.();
    const advertised: Advertised = before ?? { last: score, score: undefined, expiresMs: 0, cancel: undefined };
    advertised.last = score;
    advertised.cancel = this.#settle(peer, advertised, SETTLED_MS);
    this.#advertised.set(peer, advertised);
  }

  #settle(peer: Peer, advertised: Advertised, afterMs: number): Cancel {
    return this.#facts.timers.after(afterMs, () => {
      advertised.cancel = undefined;
      advertised.score = advertised.last;
      this.confirm(peer);
      this.#facts.changed();
    });
  }

  /** The peer has sent blocks for its score. */
  confirm(peer: Peer): void {
    const advertised = this.#advertised.get(peer);
    if (advertised !== undefined) advertised.expiresMs = this.#facts.timers.nowMs() + this.#facts.ttlMs;
  }

  /** Ignores a score without blocks, for the time or until the peer sends another score. */
  forget(peer: Peer, forMs = FORGOTTEN_MS): void {
    const advertised = this.#advertised.get(peer);
    if (advertised?.score === undefined) return;
    advertised.score = undefined;
    advertised.cancel ??= this.#settle(peer, advertised, forMs);
    this.#facts.changed();
  }

  /** Uses the peer's host for a while only if no other peer is ahead. */
  setBack({ remote }: Peer): void {
    this.#setBack.set(subscriberOf(remote.ip), true);
    this.#facts.changed();
  }

  isSetBack({ remote }: Peer): boolean {
    return this.#setBack.has(subscriberOf(remote.ip));
  }

  closed(peer: Peer): void {
    const advertised = this.#advertised.get(peer);
    if (advertised === undefined) return;
    advertised.cancel?.();
    this.#advertised.delete(peer);
    if (this.#bestPeer === peer) this.#bestPeer = undefined;
    this.#facts.changed();
  }

  /** Peer with the highest score, if that is higher than ours; among equals the previous one. */
  best(): SyncWith | undefined {
    let best: SyncWith | undefined;
    for (const candidate of this.#ahead())
      if (best === undefined || this.#goesBefore(candidate, best)) best = candidate;
    this.#bestPeer = best?.peer;
    return best;
  }

  #goesBefore(candidate: SyncWith, other: SyncWith): boolean {
    const isSetBack = this.isSetBack(candidate.peer);
    if (isSetBack !== this.isSetBack(other.peer)) return !isSetBack;
    return candidate.score > other.score || (candidate.score === other.score && candidate.peer === this.#bestPeer);
  }

  /** Peers with a higher score than ours. */
  *peersAhead(): Iterable<Peer> {
    for (const { peer } of this.#ahead()) yield peer;
  }

  /** Whether a peer of another host, not a slow one, is ahead of us. */
  isAnotherAhead({ remote }: Peer): boolean {
    for (const { peer } of this.#ahead())
      if (!isOneSubscriber(peer.remote.ip, remote.ip) && !this.isSetBack(peer)) return true;
    return false;
  }

  *#ahead(): Iterable<SyncWith> {
    for (const [peer, score] of this.#scores())
      if (this.#ours !== undefined && score > this.#ours) yield { peer, score };
  }

  /** Number of peers whose score counts. */
  get known(): number {
    return [...this.#scores()].length;
  }

  /** Whether this is the peer's last score. */
  isLast(peer: Peer, score: bigint): boolean {
    return this.#advertised.get(peer)?.last === score;
  }

  /** Peers with at least this score. */
  *peersWith(score: bigint): Iterable<Peer> {
    for (const [peer, advertised] of this.#scores()) if (advertised >= score) yield peer;
  }

  /** Scores that count. */
  *#scores(): Iterable<[Peer, bigint]> {
    const now = this.#facts.timers.nowMs();
    for (const [peer, { score, expiresMs }] of this.#advertised)
      if (score !== undefined && expiresMs > now) yield [peer, score];
  }
}

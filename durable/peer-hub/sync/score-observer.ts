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
export interface SyncTarget {
  readonly peer: Peer;
  readonly score: bigint;
}

/** A score that is replaced within this time is ignored. */
const SETTLED_MS = 1_000;
/** Time for which a score without blocks is ignored. */
const FORGOTTEN_MS = 10_000;
/** `ttlMs`: time for which the host of a slow peer comes after all others. `maxSize`: maximum of remembered hosts. */
const DEPRIORITIZED = { ttlMs: 60 * 60_000, maxSize: 10_000 } as const;

export interface ScoreObserverOptions {
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
  readonly #options: ScoreObserverOptions;
  readonly #advertised = new Map<Peer, Advertised>();
  readonly #deprioritized: ExpiringMap<true, string>;
  #ours: bigint | undefined;
  #bestPeer: Peer | undefined;

  constructor(options: ScoreObserverOptions) {
    this.#options = options;
    this.#deprioritized = new ExpiringMap({ ...DEPRIORITIZED, nowMs: () => options.timers.nowMs() });
  }

  /** Sets our own score. */
  changedOurs(score: bigint): void {
    if (score === this.#ours) return;
    this.#ours = score;
    this.#options.changed();
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
    return this.#options.timers.after(afterMs, () => {
      advertised.cancel = undefined;
      advertised.score = advertised.last;
      this.confirm(peer);
      this.#options.changed();
    });
  }

  /** The peer has sent blocks for its score. */
  confirm(peer: Peer): void {
    const advertised = this.#advertised.get(peer);
    if (advertised !== undefined) advertised.expiresMs = this.#options.timers.nowMs() + this.#options.ttlMs;
  }

  /** Ignores a score without blocks, for the time or until the peer sends another score. */
  forget(peer: Peer, forMs = FORGOTTEN_MS): void {
    const advertised = this.#advertised.get(peer);
    if (advertised?.score === undefined) return;
    advertised.score = undefined;
    advertised.cancel ??= this.#settle(peer, advertised, forMs);
    this.#options.changed();
  }

  /** Uses the peer's host for a while only if no other peer is ahead. */
  deprioritize({ remote }: Peer): void {
    this.#deprioritized.set(subscriberOf(remote.ip), true);
    this.#options.changed();
  }

  isDeprioritized({ remote }: Peer): boolean {
    return this.#deprioritized.has(subscriberOf(remote.ip));
  }

  closed(peer: Peer): void {
    const advertised = this.#advertised.get(peer);
    if (advertised === undefined) return;
    advertised.cancel?.();
    this.#advertised.delete(peer);
    if (this.#bestPeer === peer) this.#bestPeer = undefined;
    this.#options.changed();
  }

  /** Peer with the highest score, if that is higher than ours; among equals the previous one. */
  best(): SyncTarget | undefined {
    let best: SyncTarget | undefined;
    for (const candidate of this.#ahead()) if (best === undefined || this.#isBetter(candidate, best)) best = candidate;
    this.#bestPeer = best?.peer;
    return best;
  }

  #isBetter(candidate: SyncTarget, other: SyncTarget): boolean {
    const isDeprioritized = this.isDeprioritized(candidate.peer);
    if (isDeprioritized !== this.isDeprioritized(other.peer)) return !isDeprioritized;
    return candidate.score > other.score || (candidate.score === other.score && candidate.peer === this.#bestPeer);
  }

  /** Peers with a higher score than ours. */
  *peersAhead(): Iterable<Peer> {
    for (const { peer } of this.#ahead()) yield peer;
  }

  /** Whether a peer of another host, not a slow one, is ahead of us. */
  isAnotherAhead({ remote }: Peer): boolean {
    for (const { peer } of this.#ahead())
      if (!isOneSubscriber(peer.remote.ip, remote.ip) && !this.isDeprioritized(peer)) return true;
    return false;
  }

  *#ahead(): Iterable<SyncTarget> {
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
    const now = this.#options.timers.nowMs();
    for (const [peer, { score, expiresMs }] of this.#advertised)
      if (score !== undefined && expiresMs > now) yield [peer, score];
  }
}

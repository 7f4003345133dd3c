/**
 * What the chains of the peers weigh, and which of them is to be synced with: the heaviest, if it is heavier than ours.
 * @source Waves: network/RxScoreObserver.scala
 */
import { isOneSubscriber, subscriberOf } from "../../../src/network/subscriber.ts";
import type { Cancel, Timers } from "../connection.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";

/** A peer to sync with. */
export interface SyncWith {
  readonly peer: Peer;
  readonly score: bigint;
}

/** A score that is followed by another one so soon is passed over. */
const SETTLED_MS = 1_000;
/** How long a score does not count behind which there was nothing. */
const FORGOTTEN_MS = 10_000;
/** How long a host comes after all others that was too slow, and of how many that is remembered. */
const SET_BACK = { ttlMs: 60 * 60_000, maxSize: 10_000 } as const;

export interface ScoreObserverFacts {
  readonly ttlMs: number;
  readonly timers: Timers;
  /** Another peer may be the best one, or none. */
  readonly changed: () => void;
}

interface Advertised {
  /** What the peer has said last. */
  last: bigint;
  /** What counts; undefined: it has not settled, or nothing stood behind it. */
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

  constructor(facts: ScoreObserverFacts) {
    this.#facts = facts;
    this.#setBack = new ExpiringMap({ ...SET_BACK, nowMs: () => facts.timers.nowMs() });
  }

  /** Our own score is another one. */
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

  /** The peer has shown that something stands behind its score. */
  confirm(peer: Peer): void {
    const advertised = this.#advertised.get(peer);
    if (advertised !== undefined) advertised.expiresMs = this.#facts.timers.nowMs() + this.#facts.ttlMs;
  }

  /** Nothing stood behind what the peer has said: it counts again after so long, or once it says something else. */
  forget(peer: Peer, forMs = FORGOTTEN_MS): void {
    const advertised = this.#advertised.get(peer);
    if (advertised?.score === undefined) return;
    advertised.score = undefined;
    advertised.cancel ??= this.#settle(peer, advertised, forMs);
    this.#facts.changed();
  }

  /** For a while the peer's host is synced with only if nobody else is ahead. */
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

  /** The peer with the greatest score, if that is greater than ours; of several the one that it was before. */
  best(): SyncWith | undefined {
    let best: SyncWith | undefined;
    for (const one of this.#ahead()) if (best === undefined || this.#goesBefore(one, best)) best = one;
    this.#bestPeer = best?.peer;
    return best;
  }

  #goesBefore(one: SyncWith, other: SyncWith): boolean {
    const isSetBack = this.isSetBack(one.peer);
    if (isSetBack !== this.isSetBack(other.peer)) return !isSetBack;
    return one.score > other.score || (one.score === other.score && one.peer === this.#bestPeer);
  }

  /** Who says that its chain weighs more than ours. */
  *peersAhead(): Iterable<Peer> {
    for (const { peer } of this.#ahead()) yield peer;
  }

  /** Whether somebody of another host is ahead of us, too, who was not set back. */
  isAnotherAhead({ remote }: Peer): boolean {
    for (const { peer } of this.#ahead())
      if (!isOneSubscriber(peer.remote.ip, remote.ip) && !this.isSetBack(peer)) return true;
    return false;
  }

  *#ahead(): Iterable<SyncWith> {
    for (const [peer, score] of this.#scores())
      if (this.#ours !== undefined && score > this.#ours) yield { peer, score };
  }

  /** Of how many peers the score counts. */
  get known(): number {
    return [...this.#scores()].length;
  }

  /** Whether that is what the peer has said last. */
  isLast(peer: Peer, score: bigint): boolean {
    return this.#advertised.get(peer)?.last === score;
  }

  /** Who says that its chain weighs so much, or more. */
  *peersWith(score: bigint): Iterable<Peer> {
    for (const [peer, advertised] of this.#scores()) if (advertised >= score) yield peer;
  }

  /** Those that count. */
  *#scores(): Iterable<[Peer, bigint]> {
    const now = this.#facts.timers.nowMs();
    for (const [peer, { score, expiresMs }] of this.#advertised)
      if (score !== undefined && expiresMs > now) yield [peer, score];
  }
}

/**
 * Whom this node connects to. Peers that its owner names are dialed at once, and again soon after their connection is lost: a
 * private network has no others. Besides, now and then one of those that it has met or heard of.
 * @source Waves: network/NetworkServer.scala, which dials one peer at a time, and leaves a lost one alone for a minute
 */
import type { RandomSource } from "../../../src/crypto/random.ts";
import { USUAL_PEER_PORT } from "../../../src/network/peer-place.ts";
import type { PeerSettings } from "../../../src/network/peer-settings.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { findHostAndPort, findIp, peerAddressText, plainIp } from "../../../src/protocol/messages/peer-address-text.ts";
import type { Connection, Timers, Transport } from "../connection.ts";
import { StoppableTimers } from "../stoppable-timers.ts";
import type { PeerBook } from "./peer-book.ts";
import { randomFraction, randomOf } from "./random-choice.ts";

/** How a connection that was dialed has ended. */
export interface DialEnd {
  /** How long both have spoken with each other, 0: not at all. */
  readonly openMs: number;
  /** What was found there instead of a peer: this node itself, or one that there is a connection with, for as long as that holds. */
  readonly found: "itself" | { readonly isOpen: boolean } | undefined;
}

export interface DialerFacts {
  readonly settings: PeerSettings;
  readonly transport: Transport;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly book: PeerBook;
  /** Takes a connection over. */
  readonly opened: (connection: Connection, ended: (end: DialEnd) => void) => void;
  /** Where all those are that there is a connection with. */
  readonly connected: () => readonly PeerAddress[];
}

/** A peer that the owner names. */
interface SoughtPeer {
  readonly place: string;
  delayMs: number;
  /** A connection with it that there is already. */
  other: { readonly isOpen: boolean } | undefined;
}

const NOTHING_CONNECTED_INTERVAL_MS = 1_000;
const INTERVAL_MS = 5_000;
/** So that two nodes do not dial each other at the same time for ever. */
const NOISE_MS = 1_000;
const FIRST_DELAY_MS = 1_000;
/** A connection that held so long was a good one. */
const GOOD_MS = 10_000;
/** Addresses under which this node has met itself. */
const MAX_OWN = 100;

export class Dialer {
  readonly #facts: DialerFacts;
  /** Places that are being dialed or connected. */
  readonly #outgoing = new Set<string>();
  readonly #own = new Set<string>();
  readonly #timers: StoppableTimers;
  #isStopped = false;

  constructor(facts: DialerFacts) {
    this.#facts = facts;
    this.#timers = new StoppableTimers(facts.timers);
  }

  /** How many are being dialed or connected. */
  get outgoing(): number {
    return this.#outgoing.size;
  }

  start(): void {
    for (const place of this.#facts.settings.knownPeers)
      void this.#seek({ place, delayMs: FIRST_DELAY_MS, other: undefined });
    this.#dialNow();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timers.stop();
  }

  /** This node itself listens there. */
  excludeOwn(address: PeerAddress): void {
    if (this.#own.size < MAX_OWN) this.#own.add(peerAddressText(address));
  }

  /** Begins to dial, if it is not dialed or connected already. */
  dial(address: PeerAddress): void {
    void this.#connect(address);
  }

  /** All addresses of a host. @returns none where there is no such host */
  async addressesOf(host: string): Promise<readonly Uint8Array[]> {
    const ip = findIp(host);
    if (ip !== undefined) return [ip];
    try {
      return (await this.#facts.transport.resolve(host)).map(plainIp);
    } catch {
      return [];
    }
  }

  /** One of the addresses that `host:port` names. */
  async findAddress(place: string): Promise<PeerAddress | undefined> {
    const found = findHostAndPort(place, USUAL_PEER_PORT);
    const ip = found && randomOf(await this.addressesOf(found.host), this.#facts.random);
    return ip && { ip, port: found.port };
  }

  /** @source Waves: network/NetworkServer.scala (scheduleConnectTask) */
  #dialNow(): void {
    const { book, connected } = this.#facts;
    const places = new Set(connected().map(peerAddressText));
    const interval = places.size === 0 ? NOTHING_CONNECTED_INTERVAL_MS : INTERVAL_MS;
    this.#timers.after(interval + (this.#fraction() - 0.5) * NOISE_MS, () => this.#dialNow());
    if (!this.#hasRoom) return;
    const isExcluded = (address: PeerAddress): boolean => {
      const place = peerAddressText(address);
      return places.has(place) || this.#own.has(place) || this.#outgoing.has(place);
    };
    const next = book.next(isExcluded);
    if (next !== undefined) this.dial(next);
  }

  async #seek(sought: SoughtPeer): Promise<void> {
    const address = await this.findAddress(sought.place);
    if (this.#isStopped) return;
    if (address !== undefined && this.#own.has(peerAddressText(address))) return;
    if (address === undefined || !this.#canSeek(address, sought)) {
      this.#seekAgain(sought);
      return;
    }
    const end = await this.#connect(address);
    if (end?.found === "itself") return;
    sought.other = end?.found;
    if (end !== undefined && end.openMs >= GOOD_MS) sought.delayMs = FIRST_DELAY_MS;
    this.#seekAgain(sought);
    sought.delayMs = this.#longer(sought.delayMs);
  }

  #canSeek(address: PeerAddress, { other }: SoughtPeer): boolean {
    const { book, connected } = this.#facts;
    const place = peerAddressText(address);
    const isConnected = other?.isOpen === true || connected().some((each) => peerAddressText(each) === place);
    return this.#hasRoom && !isConnected && !this.#outgoing.has(place) && !book.isBlacklisted(address.ip);
  }

  #seekAgain(sought: SoughtPeer): void {
    this.#timers.after(sought.delayMs * (0.5 + this.#fraction()), () => void this.#seek(sought));
  }

  #longer(delayMs: number): number {
    return Math.max(FIRST_DELAY_MS, Math.min(2 * delayMs, this.#facts.settings.suspensionResidenceTimeMs));
  }

  /**
   * Dials, and leaves the host alone for a while where nobody answers, and once the connection ends.
   * @returns how it has ended; undefined: there was none. Never rejects.
   */
  async #connect(address: PeerAddress): Promise<DialEnd | undefined> {
    const { book, opened } = this.#facts;
    const place = peerAddressText(address);
    if (this.#isStopped || this.#outgoing.has(place)) return undefined;
    this.#outgoing.add(place);
    const connection = await this.#findConnection(address);
    let end: DialEnd | undefined;
    if (connection !== undefined) {
      book.touch(address);
      end = await new Promise<DialEnd>((ended) => opened(connection, ended));
      if (end.found === "itself") this.excludeOwn(address);
    }
    this.#outgoing.delete(place);
    if (!this.#isStopped) book.suspend(address.ip);
    return end;
  }

  /** @returns undefined: nobody answers there in time */
  #findConnection(address: PeerAddress): Promise<Connection | undefined> {
    const { settings, transport } = this.#facts;
    return new Promise((resolve) => {
      let isAwaited = true;
      const settle = (connection: Connection | undefined): void => {
        cancel();
        if (isAwaited && !this.#isStopped) resolve(connection);
        else {
          connection?.close();
          resolve(undefined);
        }
        isAwaited = false;
      };
      const cancel = this.#timers.after(settings.connectionTimeoutMs, () => settle(undefined));
      transport.connect(address).then(settle, () => settle(undefined));
    });
  }

  get #hasRoom(): boolean {
    return this.#outgoing.size < this.#facts.settings.maxOutboundConnections;
  }

  #fraction(): number {
    return randomFraction(this.#facts.random);
  }
}

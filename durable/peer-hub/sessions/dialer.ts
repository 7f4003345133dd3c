/**
 * Outbound connections. Peers that the owner names are dialed at once, and again soon after the connection is lost,
 * since a private network has no others. Besides, one of the known or reported addresses is dialed every few seconds.
 * @source Waves: network/NetworkServer.scala, which dials one peer at a time, and leaves a lost one alone for a minute
 */
import type { RandomSource } from "../../../src/crypto/random.ts";
import { DEFAULT_PEER_PORT } from "../../../src/network/peer-address.ts";
import type { PeerSettings } from "../../../src/network/peer-settings.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { findHostAndPort, findIp, peerAddressText, plainIp } from "../../../src/protocol/messages/peer-address-text.ts";
import type { Connection, Timers, Transport } from "../connection.ts";
import { StoppableTimers } from "../stoppable-timers.ts";
import type { PeerBook } from "./peer-book.ts";
import { randomFraction, randomOf } from "./random-choice.ts";

/** End of a dialed connection. */
export interface DialEnd {
  /** Time from the handshakes to the end, ms; 0: no handshake. */
  readonly openMs: number;
  /**
   * Reason against the new connection: it leads to this node itself, or to a node with another connection (and whether
   * that one is still open).
   */
  readonly found: "itself" | { readonly isOpen: boolean } | undefined;
}

export interface DialerOptions {
  readonly settings: PeerSettings;
  readonly transport: Transport;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly book: PeerBook;
  /** Hands a connection over. */
  readonly opened: (connection: Connection, ended: (end: DialEnd) => void) => void;
  /** Addresses of all connected nodes. */
  readonly connected: () => readonly PeerAddress[];
}

/** Peer named by the owner. */
interface DialTarget {
  readonly address: string;
  delayMs: number;
  /** Other connection with that peer. */
  other: { readonly isOpen: boolean } | undefined;
}

const NOTHING_CONNECTED_INTERVAL_MS = 1_000;
const INTERVAL_MS = 5_000;
/** Random spread of the interval, so that two nodes do not keep dialing each other at the same time. */
const NOISE_MS = 1_000;
const FIRST_DELAY_MS = 1_000;
/** A connection that lasted this long resets the delay. */
const GOOD_MS = 10_000;
/** Maximum of addresses at which this node has met itself. */
const MAX_OWN = 100;

export class Dialer {
  readonly #options: DialerOptions;
  /** Addresses that are being dialed or connected. */
  readonly #outgoing = new Set<string>();
  readonly #own = new Set<string>();
  /** Peers that the owner names, and that there is no connection with. */
  readonly #missing = new Set<DialTarget>();
  readonly #timers: StoppableTimers;
  #isStopped = false;

  constructor(options: DialerOptions) {
    this.#options = options;
    this.#timers = new StoppableTimers(options.timers);
  }

  /** Number of addresses that are being dialed or connected. */
  get outgoing(): number {
    return this.#outgoing.size;
  }

  start(): void {
    for (const place of this.#options.settings.knownPeers)
      void this.#seek({ address: place, delayMs: FIRST_DELAY_MS, other: undefined });
    this.#dialNow();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timers.stop();
  }

  /** Excludes an address at which this node itself listens. */
  excludeOwn(address: PeerAddress): void {
    if (this.#own.size < MAX_OWN) this.#own.add(peerAddressText(address));
  }

  /** Starts to dial, unless the address is being dialed or connected already. */
  dial(address: PeerAddress): void {
    void this.#connect(address);
  }

  /** All addresses of a host. @returns an empty list for an unknown host */
  async addressesOf(host: string): Promise<readonly Uint8Array[]> {
    const ip = findIp(host);
    if (ip !== undefined) return [ip];
    try {
      return (await this.#options.transport.resolve(host)).map(plainIp);
    } catch {
      return [];
    }
  }

  /** One of the addresses of `host:port`. */
  async findAddress(hostAndPort: string): Promise<PeerAddress | undefined> {
    const found = findHostAndPort(hostAndPort, DEFAULT_PEER_PORT);
    const ip = found && randomOf(await this.addressesOf(found.host), this.#options.random);
    return ip && { ip, port: found.port };
  }

  /** @source Waves: network/NetworkServer.scala (scheduleConnectTask) */
  #dialNow(): void {
    const { book, connected } = this.#options;
    const connectedTo = new Set(connected().map(peerAddressText));
    const interval = connectedTo.size === 0 ? NOTHING_CONNECTED_INTERVAL_MS : INTERVAL_MS;
    this.#timers.after(interval + (this.#fraction() - 0.5) * NOISE_MS, () => this.#dialNow());
    if (!this.#hasRoomForOthers) return;
    const isExcluded = (address: PeerAddress): boolean => {
      const addressText = peerAddressText(address);
      return connectedTo.has(addressText) || this.#own.has(addressText) || this.#outgoing.has(addressText);
    };
    const next = book.next(isExcluded);
    if (next !== undefined) this.dial(next);
  }

  async #seek(target: DialTarget): Promise<void> {
    this.#missing.add(target);
    const address = await this.findAddress(target.address);
    if (this.#isStopped) return;
    if (address !== undefined && this.#own.has(peerAddressText(address))) {
      this.#missing.delete(target);
      return;
    }
    if (address === undefined || !this.#canSeek(address, target)) {
      if (address !== undefined && this.#isConnected(address, target)) this.#missing.delete(target);
      this.#seekAgain(target);
      return;
    }
    this.#missing.delete(target);
    const end = await this.#connect(address);
    if (end?.found === "itself") return;
    this.#missing.add(target);
    target.other = end?.found;
    if (end !== undefined && end.openMs >= GOOD_MS) target.delayMs = FIRST_DELAY_MS;
    this.#seekAgain(target);
    target.delayMs = this.#longer(target.delayMs);
  }

  #canSeek(address: PeerAddress, target: DialTarget): boolean {
    const isRefused = this.#outgoing.has(peerAddressText(address)) || this.#options.book.isBlacklisted(address.ip);
    return this.#hasRoom && !isRefused && !this.#isConnected(address, target);
  }

  #isConnected(address: PeerAddress, { other }: DialTarget): boolean {
    const addressText = peerAddressText(address);
    return other?.isOpen === true || this.#options.connected().some((each) => peerAddressText(each) === addressText);
  }

  #seekAgain(target: DialTarget): void {
    this.#timers.after(target.delayMs * (0.5 + this.#fraction()), () => void this.#seek(target));
  }

  #longer(delayMs: number): number {
    return Math.max(FIRST_DELAY_MS, Math.min(2 * delayMs, this.#options.settings.suspensionResidenceTimeMs));
  }

  /**
   * Dials, and suspends the host if the dial fails, and after the connection ends.
   * @returns the end of the connection; undefined: there was no connection. Never rejects.
   */
  async #connect(address: PeerAddress): Promise<DialEnd | undefined> {
    const { book, opened } = this.#options;
    const addressText = peerAddressText(address);
    if (this.#isStopped || this.#outgoing.has(addressText)) return undefined;
    this.#outgoing.add(addressText);
    const connection = await this.#findConnection(address);
    let end: DialEnd | undefined;
    if (connection !== undefined) {
      end = await new Promise<DialEnd>((ended) => opened(connection, ended));
      if (end.found === "itself") this.excludeOwn(address);
    }
    this.#outgoing.delete(addressText);
    if (!this.#isStopped) book.suspend(address.ip);
    return end;
  }

  /** @returns undefined: no connection within the timeout */
  #findConnection(address: PeerAddress): Promise<Connection | undefined> {
    const { settings, transport } = this.#options;
    return new Promise((resolve) => {
      let isPending = true;
      const settle = (connection: Connection | undefined): void => {
        cancel();
        if (isPending && !this.#isStopped) resolve(connection);
        else {
          connection?.close();
          resolve(undefined);
        }
        isPending = false;
      };
      const cancel = this.#timers.after(settings.connectionTimeoutMs, () => settle(undefined));
      transport.connect(address).then(settle, () => settle(undefined));
    });
  }

  get #hasRoom(): boolean {
    return this.#outgoing.size < this.#options.settings.maxOutboundConnections;
  }

  /** Up to half of the connections are reserved for the peers that the owner names. */
  get #hasRoomForOthers(): boolean {
    const { maxOutboundConnections: max } = this.#options.settings;
    return this.#outgoing.size + Math.min(this.#missing.size, Math.floor(max / 2)) < max;
  }

  #fraction(): number {
    return randomFraction(this.#options.random);
  }
}

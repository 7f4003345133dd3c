/**
 * What this node knows of others: where they were met, where they are said to be, which hosts it does not speak with.
 * @source Waves: network/PeerDatabaseImpl.scala
 */
import type { RandomSource } from "../../../src/crypto/random.ts";
import { type BlacklistedHost, type KnownPeer, MAX_LISTED_PEERS } from "../../../src/env.ts";
import type { PeerSettings } from "../../../src/network/peer-settings.ts";
import { firstAddressOf } from "../../../src/network/subscriber.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import {
  findHostAndPort,
  findIp,
  hostText,
  peerAddressText,
} from "../../../src/protocol/messages/peer-address-text.ts";
import { KeptPlaces, type KeptPlacesFacts } from "./kept-places.ts";
import type { PeerStorage } from "./peer-storage.ts";
import { randomOf } from "./random-choice.ts";

export interface PeerBookFacts {
  readonly settings: PeerSettings;
  readonly storage: PeerStorage;
  readonly nowMs: () => number;
  readonly random: RandomSource;
}

/** The reference has no such bounds: whoever has many addresses could fill the memory. */
const MAX_KNOWN = 5_000;
const MAX_SHUT_OUT = 10_000;
/** A host that declares one port after another would crowd out all others. */
const MAX_KNOWN_OF_HOST = 10;
/** A peer is seen with each message; the storage learns of it this many times in the time that it is kept. */
const WRITES_OF_RESIDENCE = 48;
const LOOPBACK = 127;
const IPV4_BYTES = 4;
/** End of a place at the first address of an IPv6 subscriber. */
const NO_INTERFACE = "0:0:0:0]:0";

export class PeerBook {
  readonly #settings: PeerSettings;
  readonly #random: RandomSource;
  readonly #known: KeptPlaces;
  readonly #blacklisted: KeptPlaces;
  readonly #suspended: KeptPlaces;
  /** Those that others have told of, and nobody has tried; the first is tried first, or makes room. */
  readonly #candidates = new Map<string, PeerAddress>();

  constructor({ settings, storage, nowMs, random }: PeerBookFacts) {
    this.#settings = settings;
    this.#random = random;
    const kept = (
      kind: KeptPlacesFacts["kind"],
      residenceTimeMs: number,
      bounds: Pick<KeptPlacesFacts, "maxPlaces" | "writeIntervalMs">,
    ): KeptPlaces => new KeptPlaces({ kind, storage, nowMs, residenceTimeMs, ...bounds });
    this.#known = kept("known", settings.peersDataResidenceTimeMs, {
      maxPlaces: MAX_KNOWN,
      writeIntervalMs: settings.peersDataResidenceTimeMs / WRITES_OF_RESIDENCE,
    });
    this.#blacklisted = kept("blacklisted", settings.blackListResidenceTimeMs, {
      maxPlaces: MAX_SHUT_OUT,
      writeIntervalMs: 0,
    });
    this.#suspended = kept("suspended", settings.suspensionResidenceTimeMs, {
      maxPlaces: MAX_SHUT_OUT,
      // Whoever is suspended connects again at once, as often as it likes.
      writeIntervalMs: settings.suspensionResidenceTimeMs / 2,
    });
  }

  /** How many candidates wait to be tried. */
  get candidates(): number {
    return this.#candidates.size;
  }

  /** @returns whether it is tried some day: it can be an address of another node, and is not known yet */
  addCandidate(address: PeerAddress): boolean {
    const place = peerAddressText(address);
    const isNew = this.#canBeAnother(address) && !this.#known.has(place) && !this.#candidates.has(place);
    if (!isNew) return false;
    this.#candidates.set(place, address);
    for (const [oldest] of this.#candidates) {
      if (this.#candidates.size <= this.#settings.maxUnverifiedPeers) break;
      this.#candidates.delete(oldest);
    }
    return true;
  }

  /** A node was met there. */
  touch(address: PeerAddress): void {
    const place = peerAddressText(address);
    this.#candidates.delete(place);
    if (!this.#known.has(place)) this.#makeRoom(address.ip);
    this.#known.put(place);
  }

  /** @param reason a sentence, for the owner */
  blacklist(ip: Uint8Array, reason: string): void {
    if (!this.#settings.enableBlacklisting) return;
    this.#dropCandidates(hostName(ip));
    this.#blacklisted.put(hostName(ip), reason);
  }

  /** It is not dialed for a while. */
  suspend(ip: Uint8Array): void {
    this.#dropCandidates(hostName(ip));
    this.#suspended.put(hostName(ip));
  }

  isBlacklisted(ip: Uint8Array): boolean {
    return this.#blacklisted.has(hostName(ip));
  }

  clearBlacklist(): void {
    this.#blacklisted.clear();
  }

  /** Without hosts that are blacklisted; the newest first, and no more than may be asked for at once. */
  known(): KnownPeer[] {
    return [...this.#addresses(MAX_LISTED_PEERS)].map(({ place, timeMs }) => ({ address: place, lastSeenMs: timeMs }));
  }

  /** All of them, in the order of `known`. */
  knownAddresses(): PeerAddress[] {
    return [...this.#addresses(MAX_KNOWN)].map(({ address }) => address);
  }

  /** The newest first, as many as `known`. */
  blacklisted(): BlacklistedHost[] {
    const listed = this.#blacklisted.entries().slice(0, MAX_LISTED_PEERS);
    return listed.map(([host, { timeMs, reason }]) => ({ host, timestampMs: timeMs, reason }));
  }

  /** The newest first, as many as `known`. */
  suspended(): Pick<BlacklistedHost, "host" | "timestampMs">[] {
    const listed = this.#suspended.entries().slice(0, MAX_LISTED_PEERS);
    return listed.map(([host, { timeMs }]) => ({ host, timestampMs: timeMs }));
  }

  /**
   * Whom to dial: the candidate that waits longest, which is none any more, or else any of those that are known.
   * @param isExcluded besides hosts that are shut out
   */
  next(isExcluded: (address: PeerAddress) => boolean): PeerAddress | undefined {
    const isOut = (address: PeerAddress): boolean => isExcluded(address) || this.#isShutOut(address.ip);
    for (const [place, address] of this.#candidates) {
      this.#candidates.delete(place);
      if (!isOut(address)) return address;
    }
    return randomOf(
      this.knownAddresses().filter((address) => !isOut(address)),
      this.#random,
    );
  }

  #isShutOut(ip: Uint8Array): boolean {
    return this.isBlacklisted(ip) || this.#suspended.has(hostName(ip));
  }

  #canBeAnother({ ip, port }: PeerAddress): boolean {
    if (ip.every((byte) => byte === 0)) return false;
    const isLoopback = ip.length === 4 ? ip[0] === LOOPBACK : hostText(ip) === "0:0:0:0:0:0:0:1";
    return !(isLoopback && port === this.#settings.port);
  }

  *#addresses(most: number): Iterable<{ place: string; timeMs: number; address: PeerAddress }> {
    let left = most;
    for (const [place, { timeMs }] of this.#known.entries()) {
      const address = findAddress(place);
      if (address === undefined || this.isBlacklisted(address.ip)) continue;
      if (left-- === 0) return;
      yield { place, timeMs, address };
    }
  }

  #dropCandidates(host: string): void {
    for (const [place, { ip }] of this.#candidates) if (hostName(ip) === host) this.#candidates.delete(place);
  }

  /** Forgets the place of the host, or of its IPv6 subscriber, that was seen longest ago, where it has as many as one may have. */
  #makeRoom(ip: Uint8Array): void {
    const address = peerAddressText({ ip: firstAddressOf(ip), port: 0 });
    const prefix = address.slice(0, -(ip.length === IPV4_BYTES ? "0" : NO_INTERFACE).length);
    let oldest: string | undefined;
    let count = 0;
    for (const place of this.#known.places())
      if (place.startsWith(prefix)) {
        oldest ??= place;
        count += 1;
      }
    if (oldest !== undefined && count >= MAX_KNOWN_OF_HOST) this.#known.remove(oldest);
  }
}

/** By which a host is shut out: an IPv6 subscriber with all of its addresses. */
function hostName(ip: Uint8Array): string {
  return hostText(firstAddressOf(ip));
}

function findAddress(place: string): PeerAddress | undefined {
  const found = findHostAndPort(place, 0);
  const ip = found && findIp(found.host);
  return ip && { ip, port: found.port };
}

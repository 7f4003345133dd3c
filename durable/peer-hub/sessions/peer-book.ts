/**
 * Addresses of other nodes: known ones, reported ones, and blacklisted or suspended hosts.
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
import { Candidates } from "./candidates.ts";
import type { PeerStorage } from "./peer-storage.ts";
import { randomOf } from "./random-choice.ts";
import { type StoredAddress, StoredAddresses, type StoredAddressesOptions } from "./stored-addresses.ts";

export interface PeerBookOptions {
  readonly settings: PeerSettings;
  readonly storage: PeerStorage;
  readonly nowMs: () => number;
  readonly random: RandomSource;
}

/** Bounds that the reference lacks: a peer with many addresses could fill the memory. */
const MAX_KNOWN = 5_000;
const MAX_BLACKLISTED = 10_000;
/** Otherwise a host that declares one port after another would crowd out all others. */
const MAX_KNOWN_OF_HOST = 10;
/** Reason of a known address to which this node has had a connection that lasted. */
const PROVEN = "proven";
/** Number of writes to the storage within the residence time of a peer that is seen with each message. */
const WRITES_OF_RESIDENCE = 48;
const LOOPBACK = 127;
const IPV4_BYTES = 4;
/** End of an address text at the first address of an IPv6 subscriber. */
const NO_INTERFACE = "0:0:0:0]:0";

export class PeerBook {
  readonly #settings: PeerSettings;
  readonly #random: RandomSource;
  readonly #known: StoredAddresses;
  readonly #blacklisted: StoredAddresses;
  readonly #suspended: StoredAddresses;
  /** Addresses reported by peers and not tried yet. */
  readonly #candidates: Candidates;
  /** Whether the next address to dial is a proven one. */
  #isProvensTurn = false;

  constructor({ settings, storage, nowMs, random }: PeerBookOptions) {
    this.#settings = settings;
    this.#random = random;
    this.#candidates = new Candidates(settings.maxUnverifiedPeers);
    const storedAddresses = (
      kind: StoredAddressesOptions["kind"],
      residenceTimeMs: number,
      bounds: Pick<StoredAddressesOptions, "maxAddresses" | "writeIntervalMs" | "goesLast">,
    ): StoredAddresses => new StoredAddresses({ kind, storage, nowMs, residenceTimeMs, ...bounds });
    this.#known = storedAddresses("known", settings.peersDataResidenceTimeMs, {
      maxAddresses: MAX_KNOWN,
      writeIntervalMs: settings.peersDataResidenceTimeMs / WRITES_OF_RESIDENCE,
      goesLast: isProven,
    });
    this.#blacklisted = storedAddresses("blacklisted", settings.blackListResidenceTimeMs, {
      maxAddresses: MAX_BLACKLISTED,
      writeIntervalMs: 0,
    });
    this.#suspended = storedAddresses("suspended", settings.suspensionResidenceTimeMs, {
      maxAddresses: MAX_BLACKLISTED,
      // A suspended peer can connect again at once, as often as it likes.
      writeIntervalMs: settings.suspensionResidenceTimeMs / 2,
    });
  }

  /** Number of candidates that wait to be tried. */
  get candidates(): number {
    return this.#candidates.size;
  }

  /**
   * @param teller address of the peer that reported it
   * @returns whether the address is added: it can belong to another node and is not known yet
   */
  addCandidate(address: PeerAddress, teller: Uint8Array): boolean {
    const addressText = peerAddressText(address);
    const isNew = this.#canBeAnother(address) && !this.#known.has(addressText) && !this.#candidates.has(addressText);
    if (isNew) this.#candidates.add(address, teller);
    return isNew;
  }

  /** Notes that a node was met at the address. */
  touch(address: PeerAddress): void {
    const addressText = peerAddressText(address);
    this.#candidates.drop((each) => each === addressText);
    if (!this.#known.has(addressText)) this.#makeRoom(address.ip);
    this.#known.put(addressText, this.#known.find(addressText)?.reason);
  }

  /** Records that a connection of this node to the address has lasted: reported addresses do not displace it. */
  prove(address: PeerAddress): void {
    this.touch(address);
    this.#known.put(peerAddressText(address), PROVEN);
  }

  /** @param reason for the owner */
  blacklist(ip: Uint8Array, reason: string): void {
    if (!this.#settings.enableBlacklisting) return;
    this.#dropCandidates(hostName(ip));
    this.#blacklisted.put(hostName(ip), reason);
  }

  /** Excludes the host from dialing for a while. */
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

  /** Known peers without blacklisted hosts, newest first, at most as many as one request may list. */
  known(): KnownPeer[] {
    const listed = [...this.#addresses(MAX_LISTED_PEERS)];
    return listed.map(({ addressText, kept: { timeMs } }) => ({ address: addressText, lastSeenMs: timeMs }));
  }

  /** All known addresses, in the order of `known`. */
  knownAddresses(): PeerAddress[] {
    return [...this.#addresses(MAX_KNOWN)].map(({ address }) => address);
  }

  /** Newest first, with the limit of `known`. */
  blacklisted(): BlacklistedHost[] {
    const listed = this.#blacklisted.entries().slice(0, MAX_LISTED_PEERS);
    return listed.map(([host, { timeMs, reason }]) => ({ host, timestampMs: timeMs, reason }));
  }

  /** Newest first, with the limit of `known`. */
  suspended(): Pick<BlacklistedHost, "host" | "timestampMs">[] {
    const listed = this.#suspended.entries().slice(0, MAX_LISTED_PEERS);
    return listed.map(([host, { timeMs }]) => ({ host, timestampMs: timeMs }));
  }

  /**
   * Next address to dial: in turns the candidate that has waited longest, which is removed, and a proven address, or
   * else a random known one. Peers can report new candidates without end.
   * @param isExcluded further exclusions besides refused hosts
   */
  next(isExcluded: (address: PeerAddress) => boolean): PeerAddress | undefined {
    const isRefused = (address: PeerAddress): boolean => isExcluded(address) || this.#isRefused(address.ip);
    const isProvensTurn = this.#isProvensTurn;
    this.#isProvensTurn = !isProvensTurn;
    return (
      (isProvensTurn ? this.#anyKnown(isRefused, isProven) : undefined) ??
      this.#candidates.take(isRefused) ??
      this.#anyKnown(isRefused, () => true)
    );
  }

  /** Any of the known ones that are like that. */
  #anyKnown(
    isOut: (address: PeerAddress) => boolean,
    isWanted: (kept: Pick<StoredAddress, "reason">) => boolean,
  ): PeerAddress | undefined {
    const found: PeerAddress[] = [];
    for (const { address, kept } of this.#addresses(MAX_KNOWN))
      if (isWanted(kept) && !isOut(address)) found.push(address);
    return randomOf(found, this.#random);
  }

  #isRefused(ip: Uint8Array): boolean {
    return this.isBlacklisted(ip) || this.#suspended.has(hostName(ip));
  }

  #canBeAnother({ ip, port }: PeerAddress): boolean {
    if (ip.every((byte) => byte === 0)) return false;
    const isLoopback = ip.length === 4 ? ip[0] === LOOPBACK : hostText(ip) === "0:0:0:0:0:0:0:1";
    return !(isLoopback && port === this.#settings.port);
  }

  *#addresses(most: number): Iterable<{ addressText: string; kept: StoredAddress; address: PeerAddress }> {
    let remaining = most;
    for (const [addressText, kept] of this.#known.entries()) {
      const address = findAddress(addressText);
      if (address === undefined || this.isBlacklisted(address.ip)) continue;
      if (remaining-- === 0) return;
      yield { addressText, kept, address };
    }
  }

  #dropCandidates(host: string): void {
    this.#candidates.drop((_, { ip }) => hostName(ip) === host);
  }

  /** Removes the oldest address of the host, or of its IPv6 subscriber, if that has as many as it may have. */
  #makeRoom(ip: Uint8Array): void {
    const address = peerAddressText({ ip: firstAddressOf(ip), port: 0 });
    const prefix = address.slice(0, -(ip.length === IPV4_BYTES ? "0" : NO_INTERFACE).length);
    let [oldest, oldestStranger]: (string | undefined)[] = [];
    let count = 0;
    for (const addressText of this.#known.addresses())
      if (addressText.startsWith(prefix)) {
        oldest ??= addressText;
        if (oldestStranger === undefined && !isProven(this.#known.find(addressText))) oldestStranger = addressText;
        count += 1;
      }
    const first = oldestStranger ?? oldest;
    if (first !== undefined && count >= MAX_KNOWN_OF_HOST) this.#known.remove(first);
  }
}

function isProven(kept: Pick<StoredAddress, "reason"> | undefined): boolean {
  return kept?.reason === PROVEN;
}

/** Name by which a host is refused: an IPv6 subscriber with all of its addresses. */
function hostName(ip: Uint8Array): string {
  return hostText(firstAddressOf(ip));
}

function findAddress(addressText: string): PeerAddress | undefined {
  const found = findHostAndPort(addressText, 0);
  const ip = found && findIp(found.host);
  return ip && { ip, port: found.port };
}

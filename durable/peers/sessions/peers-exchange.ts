/**
 * What two peers tell each other of others: this node asks at once and from time to time, answers, and remembers where the peer
 * itself can be reached.
 * @source Waves: network/PeerSynchronizer.scala
 */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { PeerSettings } from "../../../src/network/peer-settings.ts";
import { isPublicAddress } from "../../../src/network/public-address.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { plainIp } from "../../../src/protocol/messages/peer-address-text.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import type { PeerBook } from "./peer-book.ts";

export interface PeersExchangeFacts {
  readonly peer: Peer;
  readonly settings: PeerSettings;
  readonly book: PeerBook;
  readonly timers: Timers;
  /** The answer to those that ask. */
  readonly knownPeersFrame: () => Uint8Array;
}

/** Of lists that were not asked for, between two questions: no honest node sends any. */
const MOST_UNASKED = 20;
/** A peer that sends much is not noted with each message. */
const TOUCH_INTERVAL_MS = 1_000;

export class PeersExchange {
  readonly #facts: PeersExchangeFacts;
  #declared: PeerAddress | undefined;
  #touchedMs = 0;
  #isAsked = false;
  #unasked = 0;
  #cancel: Cancel | undefined;

  constructor(facts: PeersExchangeFacts) {
    this.#facts = facts;
  }

  /** Where the peer says that it listens, if that is where it is. */
  get declared(): PeerAddress | undefined {
    return this.#declared;
  }

  /** The peer has introduced itself. */
  start(): void {
    const { peer, settings } = this.#facts;
    if (!settings.enablePeersExchange) return;
    const { declaredAddress } = peer.handshake;
    if (declaredAddress !== undefined && equalBytes(plainIp(declaredAddress.ip), peer.remote.ip)) {
      this.#declared = { ip: peer.remote.ip, port: declaredAddress.port };
      this.#touch();
    }
    this.#ask();
  }

  /** The peer has sent something. */
  seen(): void {
    if (this.#facts.timers.nowMs() - this.#touchedMs >= TOUCH_INTERVAL_MS) this.#touch();
  }

  /** Once the peer has taken what it was sent before: one that asks and does not read is not read either. */
  async answer(): Promise<void> {
    const { peer, settings, knownPeersFrame } = this.#facts;
    if (!settings.enablePeersExchange) return;
    await peer.drained();
    peer.sendFrame(knownPeersFrame());
  }

  /** A list that was not asked for is passed over, and who sends them without end is suspended. */
  told(addresses: readonly PeerAddress[]): void {
    const { peer, book } = this.#facts;
    if (!this.#isAsked) {
      this.#unasked += 1;
      if (this.#unasked > MOST_UNASKED) peer.suspend();
      return;
    }
    this.#isAsked = false;
    const isPublic = isPublicAddress(peer.remote.ip);
    for (const { ip: told, port } of addresses) {
      const ip = plainIp(told);
      // What somebody outside knows of a house is not where nodes are, and the house is not knocked at for it.
      if (!isPublic || isPublicAddress(ip)) book.addCandidate({ ip, port });
    }
  }

  stop(): void {
    this.#cancel?.();
  }

  #touch(): void {
    if (this.#declared === undefined) return;
    this.#touchedMs = this.#facts.timers.nowMs();
    this.#facts.book.touch(this.#declared);
  }

  #ask(): void {
    const { peer, settings, timers } = this.#facts;
    this.#isAsked = true;
    this.#unasked = 0;
    peer.send({ kind: "getPeers", value: undefined });
    this.#cancel = timers.after(settings.peersBroadcastIntervalMs, () => this.#ask());
  }
}

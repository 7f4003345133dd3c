/**
 * Exchange of known addresses with a peer: this node requests them at once and then periodically, responds to requests,
 * and notes the address at which the peer itself listens.
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

export interface PeersExchangeOptions {
  readonly peer: Peer;
  readonly settings: PeerSettings;
  readonly book: PeerBook;
  readonly timers: Timers;
  /** Response to the peer's requests. */
  readonly knownPeersFrame: () => Uint8Array;
}

/** Maximum of unrequested lists between two requests: no honest node sends any. */
const MOST_UNREQUESTED = 20;
/** Minimum time between two notes of a peer that sends much. */
const TOUCH_INTERVAL_MS = 1_000;

export class PeersExchange {
  readonly #options: PeersExchangeOptions;
  #declared: PeerAddress | undefined;
  #touchedMs = 0;
  #isRequested = false;
  #unrequested = 0;
  #cancel: Cancel | undefined;

  constructor(options: PeersExchangeOptions) {
    this.#options = options;
  }

  /** Address at which the peer says that it listens, if the host matches the connection. */
  get declared(): PeerAddress | undefined {
    return this.#declared;
  }

  /** The handshake is complete. */
  start(): void {
    const { peer, settings } = this.#options;
    if (!settings.enablePeersExchange) return;
    const { declaredAddress } = peer.handshake;
    if (declaredAddress !== undefined && equalBytes(plainIp(declaredAddress.ip), peer.remote.ip)) {
      this.#declared = { ip: peer.remote.ip, port: declaredAddress.port };
      this.#touch();
    }
    this.#request();
  }

  /** The peer has sent bytes. */
  seen(): void {
    if (this.#options.timers.nowMs() - this.#touchedMs >= TOUCH_INTERVAL_MS) this.#touch();
  }

  /**
   * Responds once the peer has taken earlier messages: a peer that sends requests and does not read is not read either.
   */
  async respond(): Promise<void> {
    const { peer, settings, knownPeersFrame } = this.#options;
    if (!settings.enablePeersExchange) return;
    await peer.drained();
    peer.sendFrame(knownPeersFrame());
  }

  /** Handles a list of addresses. An unrequested one is ignored, and a peer that keeps sending them is suspended. */
  received(addresses: readonly PeerAddress[]): void {
    const { peer, book } = this.#options;
    if (!this.#isRequested) {
      this.#unrequested += 1;
      if (this.#unrequested > MOST_UNREQUESTED) peer.suspend();
      return;
    }
    this.#isRequested = false;
    const isPublic = isPublicAddress(peer.remote.ip);
    for (const { ip: reportedIp, port } of addresses) {
      const ip = plainIp(reportedIp);
      // A private address from an outside peer names no node, and must not make this node dial into its own network.
      if (!isPublic || isPublicAddress(ip)) book.addCandidate({ ip, port }, peer.remote.ip);
    }
  }

  stop(): void {
    this.#cancel?.();
  }

  #touch(): void {
    if (this.#declared === undefined) return;
    this.#touchedMs = this.#options.timers.nowMs();
    this.#options.book.touch(this.#declared);
  }

  #request(): void {
    const { peer, settings, timers } = this.#options;
    this.#isRequested = true;
    this.#unrequested = 0;
    peer.send({ kind: "getPeers", value: undefined });
    this.#cancel = timers.after(settings.peersBroadcastIntervalMs, () => this.#request());
  }
}

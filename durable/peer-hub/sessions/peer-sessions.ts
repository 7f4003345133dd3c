/** All connections with other nodes: dialing, admission, and the addresses of others. */

import type { RandomSource } from "../../../src/crypto/random.ts";
import type { ConnectedPeer, PeersRpc } from "../../../src/env.ts";
import type { PeerSettings } from "../../../src/network/peer-settings.ts";
import { isOneSubscriber, subscriberOf } from "../../../src/network/subscriber.ts";
import { SubscriberCounts } from "../../../src/network/subscriber-counts.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import type { Handshake, NodeVersion } from "../../../src/protocol/messages/handshake.ts";
import { frameOf, type MessageContext } from "../../../src/protocol/messages/message-table.ts";
import { MAX_PEER_ADDRESSES, type PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { hostText, peerAddressText, plainIp } from "../../../src/protocol/messages/peer-address-text.ts";
import { fromPeers } from "../../../src/rules/blocks/from-peers.ts";
import type { Connection, Timers, Transport } from "../connection.ts";
import { ErrorLog } from "../error-log.ts";
import type { Peer, PeerListener } from "../peer.ts";
import { BlacklistLog } from "./blacklist-log.ts";
import { type DialEnd, Dialer } from "./dialer.ts";
import { FrameBudget } from "./frame-budget.ts";
import { MessageBudget } from "./message-budget.ts";
import { PeerBook } from "./peer-book.ts";
import type { PeerStorage } from "./peer-storage.ts";
import { randomFraction } from "./random-choice.ts";
import { OWNERS_WISH } from "./reasons.ts";
import { ReceivedTransactions } from "./received-transactions.ts";
import { Session, type SessionServices } from "./session.ts";
import { SharedBytes } from "./shared-bytes.ts";
import { isOurOwn } from "./validate-handshake.ts";
import { Yielder } from "./yielder.ts";

export interface PeerSessionsOptions {
  readonly settings: PeerSettings;
  readonly chainId: number;
  /** `waves` and the scheme character. */
  readonly applicationName: string;
  readonly version: NodeVersion;
  readonly transport: Transport;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly storage: PeerStorage;
}

/** Limits over all connections, bytes. */
export const sessionLimits = {
  /** Frames that are incomplete or wait to be read: a few of the largest blocks. */
  held: peerHubBytes.heldFrames,
  /** Messages that are being parsed and validated. */
  inHand: peerHubBytes.messagesInHand,
  /** Frames that wait to be sent. */
  waiting: peerHubBytes.framesToSend,
} as const;

const IPV4_BYTES = 4;
/** Two connections cross if the second one comes within this time after the first. */
const CROSSING_MS = 10_000;
/** Duration after which a connection of this node proves that the address belongs to a good node. */
const PROVEN_MS = 10_000;
/** Minimum age of the list of known peers before it is built again: more frequent requests get the last one. */
const KNOWN_PEERS_INTERVAL_MS = 1_000;

export class PeerSessions implements Omit<PeersRpc, "progress" | "activity"> {
  readonly #options: PeerSessionsOptions;
  readonly #book: PeerBook;
  readonly #dialer: Dialer;
  readonly #services: SessionServices;
  readonly #nonce: bigint;
  readonly #sessions = new Set<Session>();
  /** Open sessions by host and nonce. @source Waves: network/PeerKey.scala */
  readonly #byNode = new Map<string, Session>();
  /** Reason against a connection that is not used, until it ends. */
  readonly #found = new Map<Session, DialEnd["found"]>();
  /** Sessions that the dialer has opened: nodes listen at their addresses. */
  readonly #dialed = new WeakSet<Session>();
  #declaredAddress: PeerAddress | undefined;
  #knownPeers: { readonly frame: Uint8Array; readonly encodedMs: number } | undefined;
  #nextId = 1;
  #isStopped = false;

  constructor(options: PeerSessionsOptions, listener: PeerListener) {
    const { settings, chainId, transport, timers, random, storage } = options;
    const nowMs = (): number => timers.nowMs();
    this.#options = options;
    this.#nonce = settings.nonce ?? BigInt(Math.floor(randomFraction(random) * 2 ** 32));
    this.#book = new PeerBook({ settings, storage, nowMs, random });
    this.#dialer = new Dialer({
      settings,
      transport,
      timers,
      random,
      book: this.#book,
      opened: (connection, ended) => this.#open(connection, "outbound", ended),
      connected: () => [...this.#byNode.values()].flatMap((session) => session.addresses),
    });
    const context: MessageContext = { chainId, source: fromPeers };
    this.#services = {
      settings,
      context,
      timers,
      book: this.#book,
      listener,
      frameBudget: new FrameBudget(sessionLimits.held),
      yielder: new Yielder(timers),
      messageBudget: new MessageBudget(sessionLimits.inHand),
      received: new ReceivedTransactions(settings.receivedTxsCacheTimeoutMs, nowMs),
      errorLog: new ErrorLog(nowMs),
      blacklistLog: new BlacklistLog(nowMs),
      shared: new SharedBytes(sessionLimits.waiting),
      ours: () => this.#ours(),
      knownPeersFrame: () => this.#knownPeersFrame(),
      admit: (session) => this.#admit(session),
    };
  }

  /** Starts to dial. */
  start(): void {
    void this.#start();
  }

  /** Closes all connections. There is no restart. */
  stop(): void {
    this.#isStopped = true;
    this.#dialer.stop();
    for (const session of [...this.#sessions]) session.close();
  }

  /**
   * Takes a connection over, or closes it if there are too many, or its host is refused.
   * @param direction outbound: this node has dialed, by other means than its transport
   * @source Waves: network/InboundConnectionFilter.scala
   */
  accept(connection: Connection, direction: Peer["direction"] = "inbound"): void {
    if (!this.#isStopped && this.#lets(connection, direction)) this.#open(connection, direction);
    else connection.close();
  }

  /** Peers after the handshake. */
  openPeers(): Peer[] {
    return [...this.#byNode.values()];
  }

  /** Memory of messages, bytes: see `sessionLimits`. */
  get memory(): Record<keyof typeof sessionLimits, number> {
    const { frameBudget, messageBudget, shared } = this.#services;
    return { held: frameBudget.sizeBytes, inHand: messageBudget.sizeBytes, waiting: shared.sizeBytes };
  }

  async known(): ReturnType<PeersRpc["known"]> {
    return this.#book.known();
  }

  async connected(): Promise<ConnectedPeer[]> {
    return this.openPeers().map(({ remote, handshake }) => {
      const { declaredAddress, version, nodeName, nonce, applicationName } = handshake;
      return {
        address: peerAddressText(remote),
        declaredAddress: declaredAddress && peerAddressText(declaredAddress),
        name: nodeName,
        nonce,
        applicationName,
        applicationVersion: `${version.major}.${version.minor}.${version.patch}`,
      };
    });
  }

  async blacklisted(): ReturnType<PeersRpc["blacklisted"]> {
    return this.#book.blacklisted();
  }

  async suspended(): ReturnType<PeersRpc["suspended"]> {
    return this.#book.suspended();
  }

  async connect(host: string, port: number): Promise<boolean> {
    const [ip] = await this.#dialer.addressesOf(host);
    if (ip === undefined) return false;
    this.#dialer.dial({ ip, port });
    return true;
  }

  async blacklist(host: string): Promise<boolean> {
    const ips = await this.#dialer.addressesOf(host);
    for (const ip of ips) {
      for (const session of [...this.#sessions])
        if (isOneSubscriber(session.remote.ip, ip)) session.blacklist(OWNERS_WISH);
      this.#book.blacklist(ip, OWNERS_WISH);
    }
    return ips.length > 0;
  }

  async clearBlacklist(): Promise<void> {
    this.#book.clearBlacklist();
  }

  #lets({ remote }: Connection, direction: Peer["direction"]): boolean {
    const { maxInboundConnections, maxSingleHostConnections } = this.#options.settings;
    const ip = plainIp(remote.ip);
    if (this.#book.isBlacklisted(ip)) return false;
    if (direction === "outbound") return true;
    const inbound = [...this.#sessions].filter((session) => session.direction === "inbound");
    const hostCounts = new SubscriberCounts(maxSingleHostConnections);
    for (const session of inbound) hostCounts.add(subscriberOf(session.remote.ip));
    return inbound.length < maxInboundConnections && !hostCounts.isFull(subscriberOf(ip));
  }

  #open(connection: Connection, direction: Peer["direction"], ended?: (end: DialEnd) => void): void {
    const session = new Session({
      id: this.#nextId++,
      connection,
      direction,
      services: this.#services,
      ended: () => {
        this.#remove(session);
        ended?.({ openMs: session.openMs, found: this.#found.get(session) });
        this.#found.delete(session);
      },
    });
    this.#sessions.add(session);
    if (ended !== undefined) this.#dialed.add(session);
    void session.run();
  }

  #remove(session: Session): void {
    this.#sessions.delete(session);
    for (const [node, other] of this.#byNode) if (other === session) this.#byNode.delete(node);
  }

  /** @source Waves: network/HandshakeHandler.scala */
  #admit(session: Session): "one" | "another" | "itself" {
    if (isOurOwn(session.handshake, this.#ours())) {
      this.#found.set(session, "itself");
      return "itself";
    }
    const node = `${hostText(session.remote.ip)} ${session.handshake.nonce}`;
    const other = this.#byNode.get(node);
    if (other !== undefined && !this.#isBetter(session, other)) {
      this.#found.set(session, other);
      return "another";
    }
    this.#byNode.set(node, session);
    if (this.#dialed.has(session)) this.#noteDialed(session);
    if (other !== undefined) {
      this.#found.set(other, session);
      other.close();
    }
    return "one";
  }

  #noteDialed(session: Session): void {
    this.#book.touch(session.remote);
    this.#options.timers.after(PROVEN_MS, () => {
      if (session.isOpen) this.#book.prove(session.remote);
    });
  }

  /**
   * When two nodes dial each other at the same time, each would close the connection that the other one keeps. The one
   * dialed by the node with the smaller nonce stays. A connection that has lasted for some time stays, too: the Go node
   * responds before it checks for another connection, and then closes the new one.
   */
  #isBetter(session: Session, other: Session): boolean {
    const isCrossing = session.direction === "outbound" && other.direction === "inbound" && other.openMs < CROSSING_MS;
    return isCrossing && this.#nonce < session.handshake.nonce;
  }

  #ours(): Handshake {
    const { settings, applicationName, version, timers } = this.#options;
    return {
      applicationName,
      version,
      nodeName: settings.nodeName ?? `Node-${this.#nonce}`,
      nonce: this.#nonce,
      declaredAddress: this.#declaredAddress,
      timeSeconds: BigInt(Math.floor(timers.nowMs() / 1_000)),
    };
  }

  /** The declared address goes into the handshakes, so it is resolved first. */
  async #start(): Promise<void> {
    const { declaredAddress } = this.#options.settings;
    if (declaredAddress !== undefined) this.#declaredAddress = await this.#dialer.findAddress(declaredAddress);
    if (this.#isStopped) return;
    if (this.#declaredAddress !== undefined) this.#dialer.excludeOwn(this.#declaredAddress);
    this.#dialer.start();
  }

  #knownPeersFrame(): Uint8Array {
    const nowMs = this.#options.timers.nowMs();
    const last = this.#knownPeers;
    if (last !== undefined && Math.abs(nowMs - last.encodedMs) < KNOWN_PEERS_INTERVAL_MS) return last.frame;
    const addresses = this.#book.knownAddresses().filter(({ ip }) => ip.length === IPV4_BYTES);
    const message = { kind: "peers", value: addresses.slice(0, MAX_PEER_ADDRESSES) } as const;
    const frame = encodeFrame(frameOf(message, this.#services.context));
    this.#knownPeers = { frame, encodedMs: nowMs };
    return frame;
  }
}

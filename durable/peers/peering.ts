/**
 * This node among others: who they are (`sessions`), and what is said to them (`sync`). Nothing here knows what it runs on: the
 * time, random bytes, connections and storage come in.
 */
import type { RandomSource } from "../../src/crypto/random.ts";
import type { BlacklistedHost, ConnectedPeer, KnownPeer, PeersRpc, SyncProgress } from "../../src/env.ts";
import type { PeerSettings, SynchronizationSettings } from "../../src/network/peer-settings.ts";
import type { NodeVersion } from "../../src/protocol/messages/handshake.ts";
import type { ChainForPeers, ChainListener, ChainNews } from "./chain-for-peers.ts";
import type { Connection, Timers, Transport } from "./connection.ts";
import type { PeerListener } from "./peer.ts";
import { Synchronization } from "./sync/synchronization.ts";

/** Connections of this node. */
export interface PeerSessions extends Omit<PeersRpc, "progress"> {
  start(): void;
  stop(): void;
  accept(connection: Connection): void;
}

export interface PeeringFacts {
  readonly settings: PeerSettings;
  readonly synchronization: SynchronizationSettings;
  readonly chainId: number;
  /** `waves` and the network's scheme character. */
  readonly applicationName: string;
  /** Release of the protocol that this node says to be. */
  readonly version: NodeVersion;
  readonly transport: Transport;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly chain: ChainForPeers;
  /** Makes the sessions, which are told whom to tell of their peers. */
  readonly sessionsFor: (listener: PeerListener) => PeerSessions;
}

export class Peering implements ChainListener, PeersRpc {
  readonly #sync: Synchronization;
  readonly #sessions: PeerSessions;

  constructor({ sessionsFor, synchronization, chainId, timers, random, chain }: PeeringFacts) {
    this.#sync = new Synchronization({ settings: synchronization, chainId, timers, random, chain });
    this.#sessions = sessionsFor(this.#sync);
  }

  /** Begins to dial, and to ask the chain where it stands. */
  start(): void {
    this.#sync.start();
    this.#sessions.start();
  }

  /** Closes all connections; no timer runs any more. */
  stop(): void {
    this.#sessions.stop();
    this.#sync.stop();
  }

  /** Speaks with whoever has dialed this node. */
  accept(connection: Connection): void {
    this.#sessions.accept(connection);
  }

  async told(news: ChainNews): Promise<void> {
    this.#sync.told(news);
  }

  known(): Promise<KnownPeer[]> {
    return this.#sessions.known();
  }

  connected(): Promise<ConnectedPeer[]> {
    return this.#sessions.connected();
  }

  blacklisted(): Promise<BlacklistedHost[]> {
    return this.#sessions.blacklisted();
  }

  suspended(): Promise<Pick<BlacklistedHost, "host" | "timestampMs">[]> {
    return this.#sessions.suspended();
  }

  connect(host: string, port: number): Promise<void> {
    return this.#sessions.connect(host, port);
  }

  blacklist(host: string): Promise<void> {
    return this.#sessions.blacklist(host);
  }

  clearBlacklist(): Promise<void> {
    return this.#sessions.clearBlacklist();
  }

  async progress(): Promise<SyncProgress> {
    return this.#sync.progress();
  }
}

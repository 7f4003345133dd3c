/**
 * This node among others: who they are (`sessions`), and what is said to them (`sync`). Nothing here knows what it runs on: the
 * time, random bytes, connections and storage come in.
 */
import type { PeersRpc, SyncActivity, SyncProgress } from "../../src/env.ts";
import type { SynchronizationSettings } from "../../src/network/peer-settings.ts";
import type { ChainForPeers, ChainListener, ChainNews } from "./chain-for-peers.ts";
import type { Connection } from "./connection.ts";
import type { Peer } from "./peer.ts";
import { PeerSessions, type PeerSessionsFacts } from "./sessions/peer-sessions.ts";
import { Synchronization } from "./sync/synchronization.ts";

export interface PeeringFacts extends PeerSessionsFacts {
  readonly synchronization: SynchronizationSettings;
  readonly chain: ChainForPeers;
  /** Other nodes are asked what transactions do. */
  readonly isLight: boolean;
}

export class Peering implements ChainListener, PeersRpc {
  readonly #sync: Synchronization;
  readonly #sessions: PeerSessions;

  constructor(facts: PeeringFacts) {
    this.#sync = new Synchronization({ ...facts, settings: facts.synchronization });
    this.#sessions = new PeerSessions(facts, this.#sync);
  }

  /** Begins to dial, and to ask the chain where it stands. */
  start(): void {
    this.#sync.start();
    this.#sessions.start();
  }

  /** Closes all connections; no timer runs any more. It cannot be started again. */
  stop(): void {
    this.#sessions.stop();
    this.#sync.stop();
  }

  /** @see PeerSessions.accept */
  accept(connection: Connection, direction?: Peer["direction"]): void {
    this.#sessions.accept(connection, direction);
  }

  async told(news: ChainNews): Promise<void> {
    this.#sync.told(news);
  }

  known(): ReturnType<PeersRpc["known"]> {
    return this.#sessions.known();
  }

  connected(): ReturnType<PeersRpc["connected"]> {
    return this.#sessions.connected();
  }

  blacklisted(): ReturnType<PeersRpc["blacklisted"]> {
    return this.#sessions.blacklisted();
  }

  suspended(): ReturnType<PeersRpc["suspended"]> {
    return this.#sessions.suspended();
  }

  connect(host: string, port: number): Promise<boolean> {
    return this.#sessions.connect(host, port);
  }

  blacklist(host: string): Promise<boolean> {
    return this.#sessions.blacklist(host);
  }

  clearBlacklist(): Promise<void> {
    return this.#sessions.clearBlacklist();
  }

  async progress(): Promise<SyncProgress> {
    return this.#sync.progress();
  }

  async activity(): Promise<SyncActivity> {
    return this.#sync.activity();
  }
}

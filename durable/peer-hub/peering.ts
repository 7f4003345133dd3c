/**
 * P2P networking of this node: connections (`sessions`) and the messages over them (`sync`). It does not depend on the
 * platform: time, random bytes, connections and storage are passed in.
 */
import type { PeersRpc, SyncActivity, SyncProgress } from "../../src/env.ts";
import type { SynchronizationSettings } from "../../src/network/peer-settings.ts";
import type { ChainEvents, ChainForPeers, ChainListener } from "../../src/rpc/chain-for-peers.ts";
import type { Connection } from "./connection.ts";
import type { Peer } from "./peer.ts";
import { PeerSessions, type PeerSessionsOptions } from "./sessions/peer-sessions.ts";
import { Synchronization } from "./sync/synchronization.ts";

export interface PeeringOptions extends PeerSessionsOptions {
  readonly synchronization: SynchronizationSettings;
  readonly chain: ChainForPeers;
  /** Light node: state snapshots are requested from peers. */
  readonly isLight: boolean;
}

export class Peering implements ChainListener, PeersRpc {
  readonly #sync: Synchronization;
  readonly #sessions: PeerSessions;

  constructor(options: PeeringOptions) {
    this.#sync = new Synchronization({ ...options, settings: options.synchronization });
    this.#sessions = new PeerSessions(options, this.#sync);
  }

  /** Starts to dial, and to request the tip of the chain. */
  start(): void {
    this.#sync.start();
    this.#sessions.start();
  }

  /** Closes all connections and stops all timers. There is no restart. */
  stop(): void {
    this.#sessions.stop();
    this.#sync.stop();
  }

  /** @see PeerSessions.accept */
  accept(connection: Connection, direction?: Peer["direction"]): void {
    this.#sessions.accept(connection, direction);
  }

  async onChainEvents(news: ChainEvents): Promise<void> {
    this.#sync.onChainEvents(news);
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

/** All that is said to peers above the messages themselves. */
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { SyncProgress } from "../../../src/env.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import type { ChainForPeers, ChainNews } from "../chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { Peer, PeerListener } from "../peer.ts";

export interface SynchronizationFacts {
  readonly settings: SynchronizationSettings;
  readonly chainId: number;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly chain: ChainForPeers;
}

export class Synchronization implements PeerListener {
  constructor(facts: SynchronizationFacts) {
    void facts;
  }
  start(): void {}
  stop(): void {}
  opened(_peer: Peer): void {}
  received(_peer: Peer, _message: PeerMessage): void | Promise<void> {}
  closed(_peer: Peer): void {}
  told(_news: ChainNews): void {}
  progress(): SyncProgress {
    return { height: 0, blocksAhead: 0, connectedPeers: 0 };
  }
}

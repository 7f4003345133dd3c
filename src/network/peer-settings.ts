/**
 * P2P settings of this node: `waves.network` and `waves.synchronization`. All times are milliseconds.
 * @source Waves: settings/NetworkSettings.scala, SynchronizationSettings.scala, application.conf
 */

export interface PeerSettings {
  /** Address to listen on for peers; undefined: none. On Cloudflare any value enables `/p2p`. */
  readonly bindAddress: string | undefined;
  /** Undefined: the default port. */
  readonly port: number | undefined;
  /** Address at which peers can reach this node, `host:port`; undefined: none. */
  readonly declaredAddress: string | undefined;
  /** Undefined: derived from the nonce. */
  readonly nodeName: string | undefined;
  /** Undefined: random at each start. */
  readonly nonce: bigint | undefined;
  /**
   * Peers to connect to from the start, `host:port`; a host of six groups or more is in brackets. Also URLs of edge
   * nodes' WebSockets, `wss://host/p2p`, which `durable/peer-hub` ignores.
   */
  readonly knownPeers: readonly string[];
  readonly peersDataResidenceTimeMs: number;
  readonly blackListResidenceTimeMs: number;
  readonly breakIdleConnectionsTimeoutMs: number;
  readonly maxInboundConnections: number;
  readonly maxOutboundConnections: number;
  readonly maxSingleHostConnections: number;
  readonly connectionTimeoutMs: number;
  readonly maxUnverifiedPeers: number;
  readonly enablePeersExchange: boolean;
  readonly enableBlacklisting: boolean;
  readonly peersBroadcastIntervalMs: number;
  readonly handshakeTimeoutMs: number;
  readonly suspensionResidenceTimeMs: number;
  readonly receivedTxsCacheTimeoutMs: number;
}

export interface SynchronizationSettings {
  /** Number of block ids in one request and in one response; forks deeper than this are not followed. */
  readonly maxRollback: number;
  readonly synchronizationTimeoutMs: number;
  readonly processedBlocksCacheTimeoutMs: number;
  readonly scoreTtlMs: number;
  readonly invalidBlocksStorage: { readonly maxSize: number; readonly timeoutMs: number };
  readonly microBlockSynchronizer: {
    readonly waitResponseTimeoutMs: number;
    readonly processedMicroBlocksCacheTimeoutMs: number;
    readonly invCacheTimeoutMs: number;
  };
  readonly historyReplier: { readonly maxMicroBlockCacheSize: number; readonly maxBlockCacheSize: number };
}

const second = 1_000;
const minute = 60 * second;

export const defaultPeerSettings: PeerSettings = {
  bindAddress: undefined,
  port: undefined,
  declaredAddress: undefined,
  nodeName: undefined,
  nonce: undefined,
  knownPeers: [],
  peersDataResidenceTimeMs: 24 * 60 * minute,
  blackListResidenceTimeMs: 15 * minute,
  breakIdleConnectionsTimeoutMs: 5 * minute,
  maxInboundConnections: 100,
  maxOutboundConnections: 100,
  maxSingleHostConnections: 3,
  connectionTimeoutMs: 30 * second,
  maxUnverifiedPeers: 100,
  enablePeersExchange: true,
  enableBlacklisting: true,
  peersBroadcastIntervalMs: 2 * minute,
  handshakeTimeoutMs: 30 * second,
  suspensionResidenceTimeMs: minute,
  receivedTxsCacheTimeoutMs: 3 * minute,
};

export const defaultSynchronizationSettings: SynchronizationSettings = {
  maxRollback: 100,
  synchronizationTimeoutMs: minute,
  processedBlocksCacheTimeoutMs: 3 * minute,
  scoreTtlMs: 90 * second,
  invalidBlocksStorage: { maxSize: 30_000, timeoutMs: 5 * minute },
  microBlockSynchronizer: {
    waitResponseTimeoutMs: 2 * second,
    processedMicroBlocksCacheTimeoutMs: 3 * minute,
    invCacheTimeoutMs: 45 * second,
  },
  historyReplier: { maxMicroBlockCacheSize: 50, maxBlockCacheSize: 20 },
};

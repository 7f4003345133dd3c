/**
 * P2P settings in the form of the reference's configuration: the groups `waves.network` and `waves.synchronization`.
 * @source Waves: settings/NetworkSettings.scala, settings/SynchronizationSettings.scala, resources/application.conf
 */
import { parsePeerAddress } from "./peer-address.ts";
import {
  defaultSynchronizationSettings,
  defaultPeerSettings as defaults,
  type PeerSettings,
  type SynchronizationSettings,
} from "./peer-settings.ts";
import { amount, blocks, durationMs, field, flag, integer, list, section, someBlocks, text } from "./setting-fields.ts";

const MAX_NAME_BYTES = 127;

const nodeName = field(`a text of 1 to ${MAX_NAME_BYTES} bytes`, (value) => {
  const sizeBytes = typeof value === "string" ? new TextEncoder().encode(value).length : 0;
  return sizeBytes > 0 && sizeBytes <= MAX_NAME_BYTES ? (value as string) : undefined;
});

const hostAndPort = field("host:port", (value) =>
  typeof value === "string" && !value.includes("/") ? parsePeerAddress(value) : undefined,
);

const peer = field("host:port, or wss://host/p2p", (value) =>
  typeof value === "string" ? parsePeerAddress(value) : undefined,
);

const peers = list("a list of host:port", peer);

/** The memory of an isolate does not allow more. */
const MAX_CONNECTIONS = 1_000;

const connections = blocks.transform((count) => Math.min(count, MAX_CONNECTIONS));

/** `waves.network`. */
export const networkForm = section({
  "bind-address": text.optional().describe("for peers; by default that of `--host`; on Cloudflare it enables `/p2p`"),
  port: integer(0, 65_535)
    .optional()
    .describe("0: none; by default 6868, private network 6860; `--p2p-port` takes precedence"),
  "declared-address": hostAndPort.optional(),
  "node-name": nodeName.optional().describe("by default from the nonce"),
  nonce: amount.optional().describe("by default random at each start"),
  "known-peers": peers.optional().describe("public networks have their own; `--peers` and `PEERS` add to them"),
  "peers-data-residence-time": durationMs.default(defaults.peersDataResidenceTimeMs),
  "black-list-residence-time": durationMs.default(defaults.blackListResidenceTimeMs),
  "break-idle-connections-timeout": durationMs.default(defaults.breakIdleConnectionsTimeoutMs),
  "max-inbound-connections": connections.default(defaults.maxInboundConnections).describe("at most 1,000"),
  "max-outbound-connections": connections
    .default(defaults.maxOutboundConnections)
    .describe("on Cloudflare at most 5 (docs/limits.md)"),
  "max-single-host-connections": connections.default(defaults.maxSingleHostConnections),
  "connection-timeout": durationMs.default(defaults.connectionTimeoutMs),
  "max-unverified-peers": connections
    .default(defaults.maxUnverifiedPeers)
    .describe("known peers that were not reached yet"),
  "enable-peers-exchange": flag.default(defaults.enablePeersExchange),
  "enable-blacklisting": flag.default(defaults.enableBlacklisting),
  "peers-broadcast-interval": durationMs
    .default(defaults.peersBroadcastIntervalMs)
    .describe("of requests for lists of peers"),
  "handshake-timeout": durationMs.default(defaults.handshakeTimeoutMs),
  "suspension-residence-time": durationMs
    .default(defaults.suspensionResidenceTimeMs)
    .describe("after a failed or lost connection"),
  "received-txs-cache-timeout": durationMs
    .default(defaults.receivedTxsCacheTimeoutMs)
    .describe("a repeated transaction is ignored; from another peer ten seconds at most"),
}).transform((values): Omit<PeerSettings, "knownPeers"> & { readonly knownPeers: readonly string[] | undefined } => ({
  bindAddress: values["bind-address"],
  port: values.port,
  declaredAddress: values["declared-address"],
  nodeName: values["node-name"],
  nonce: values.nonce,
  knownPeers: values["known-peers"],
  peersDataResidenceTimeMs: values["peers-data-residence-time"],
  blackListResidenceTimeMs: values["black-list-residence-time"],
  breakIdleConnectionsTimeoutMs: values["break-idle-connections-timeout"],
  maxInboundConnections: values["max-inbound-connections"],
  maxOutboundConnections: values["max-outbound-connections"],
  maxSingleHostConnections: values["max-single-host-connections"],
  connectionTimeoutMs: values["connection-timeout"],
  maxUnverifiedPeers: values["max-unverified-peers"],
  enablePeersExchange: values["enable-peers-exchange"],
  enableBlacklisting: values["enable-blacklisting"],
  peersBroadcastIntervalMs: values["peers-broadcast-interval"],
  handshakeTimeoutMs: values["handshake-timeout"],
  suspensionResidenceTimeMs: values["suspension-residence-time"],
  receivedTxsCacheTimeoutMs: values["received-txs-cache-timeout"],
}));

const { invalidBlocksStorage, microBlockSynchronizer, historyReplier, ...times } = defaultSynchronizationSettings;

/** `waves.synchronization`. */
export const synchronizationForm = section({
  "max-rollback": someBlocks
    .default(times.maxRollback)
    .describe("blocks that a heavier branch may replace; also ids per request"),
  "synchronization-timeout": durationMs.default(times.synchronizationTimeoutMs).describe("for requested blocks"),
  "processed-blocks-cache-timeout": durationMs
    .default(times.processedBlocksCacheTimeoutMs)
    .describe("a known block is ignored"),
  "score-ttl": durationMs.default(times.scoreTtlMs),
  "invalid-blocks-storage": section({
    "max-size": blocks.default(invalidBlocksStorage.maxSize),
    timeout: durationMs.default(invalidBlocksStorage.timeoutMs),
  }).prefault({}),
  "micro-block-synchronizer": section({
    "wait-response-timeout": durationMs
      .default(microBlockSynchronizer.waitResponseTimeoutMs)
      .describe("then another peer is asked for the micro-block"),
    "processed-micro-blocks-cache-timeout": durationMs.default(
      microBlockSynchronizer.processedMicroBlocksCacheTimeoutMs,
    ),
    "inv-cache-timeout": durationMs
      .default(microBlockSynchronizer.invCacheTimeoutMs)
      .describe("of announcements of micro-blocks"),
  }).prefault({}),
  "history-replier": section({
    "max-micro-block-cache-size": blocks.default(historyReplier.maxMicroBlockCacheSize),
    "max-block-cache-size": blocks.default(historyReplier.maxBlockCacheSize),
  }).prefault({}),
}).transform(
  (values): SynchronizationSettings => ({
    maxRollback: values["max-rollback"],
    synchronizationTimeoutMs: values["synchronization-timeout"],
    processedBlocksCacheTimeoutMs: values["processed-blocks-cache-timeout"],
    scoreTtlMs: values["score-ttl"],
    invalidBlocksStorage: {
      maxSize: values["invalid-blocks-storage"]["max-size"],
      timeoutMs: values["invalid-blocks-storage"].timeout,
    },
    microBlockSynchronizer: {
      waitResponseTimeoutMs: values["micro-block-synchronizer"]["wait-response-timeout"],
      processedMicroBlocksCacheTimeoutMs: values["micro-block-synchronizer"]["processed-micro-blocks-cache-timeout"],
      invCacheTimeoutMs: values["micro-block-synchronizer"]["inv-cache-timeout"],
    },
    historyReplier: {
      maxMicroBlockCacheSize: values["history-replier"]["max-micro-block-cache-size"],
      maxBlockCacheSize: values["history-replier"]["max-block-cache-size"],
    },
  }),
);

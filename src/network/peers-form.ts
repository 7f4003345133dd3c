/**
 * How a node speaks with others, in the form of the reference's configuration: the groups `waves.network` and
 * `waves.synchronization`.
 * @source Waves: settings/NetworkSettings.scala, settings/SynchronizationSettings.scala, resources/application.conf
 */
import { parsePeerPlace } from "./peer-place.ts";
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

const place = field("host:port", (value) =>
  typeof value === "string" && !value.includes("/") ? parsePeerPlace(value) : undefined,
);

const peer = field("host:port, or wss://host/p2p", (value) =>
  typeof value === "string" ? parsePeerPlace(value) : undefined,
);

const peers = list("a list of host:port", peer);

/** An isolate has room for no more. */
const MAX_CONNECTIONS = 1_000;

const connections = blocks.transform((count) => Math.min(count, MAX_CONNECTIONS));

/** `waves.network`. */
export const networkForm = section({
  "bind-address": text
    .optional()
    .describe("Listening address for peers; by default that of `--host`. On Cloudflare it enables `/p2p`."),
  port: integer(0, 65_535)
    .optional()
    .describe("Listening port; 0: none; by default 6868, private network 6860. `--p2p-port` takes precedence."),
  "declared-address": place.optional().describe("Public address of the node, for other nodes."),
  "node-name": nodeName.optional().describe("Name in the handshake; by default from the nonce."),
  nonce: amount.optional().describe("Distinguishes nodes of one address; by default random at each start."),
  "known-peers": peers
    .optional()
    .describe("Nodes to connect to; public networks have their own. `--peers` and `PEERS` add to them."),
  "peers-data-residence-time": durationMs
    .default(defaults.peersDataResidenceTimeMs)
    .describe("How long a peer is remembered after its last message."),
  "black-list-residence-time": durationMs
    .default(defaults.blackListResidenceTimeMs)
    .describe("How long a peer stays blacklisted."),
  "break-idle-connections-timeout": durationMs
    .default(defaults.breakIdleConnectionsTimeoutMs)
    .describe("Idle time after which a connection is closed."),
  "max-inbound-connections": connections
    .default(defaults.maxInboundConnections)
    .describe("Inbound connections; at most 1,000."),
  "max-outbound-connections": connections
    .default(defaults.maxOutboundConnections)
    .describe("Outbound connections; on Cloudflare at most 5 (docs/limits.md)."),
  "max-single-host-connections": connections
    .default(defaults.maxSingleHostConnections)
    .describe("Connections with one address."),
  "connection-timeout": durationMs.default(defaults.connectionTimeoutMs).describe("Time limit for connecting."),
  "max-unverified-peers": connections
    .default(defaults.maxUnverifiedPeers)
    .describe("Known peers that were not reached yet."),
  "enable-peers-exchange": flag
    .default(defaults.enablePeersExchange)
    .describe("Whether peers exchange lists of peers."),
  "enable-blacklisting": flag
    .default(defaults.enableBlacklisting)
    .describe("Whether peers that break a rule are blacklisted."),
  "peers-broadcast-interval": durationMs
    .default(defaults.peersBroadcastIntervalMs)
    .describe("Interval of requests for lists of peers."),
  "handshake-timeout": durationMs.default(defaults.handshakeTimeoutMs).describe("Time limit for the handshake."),
  "suspension-residence-time": durationMs
    .default(defaults.suspensionResidenceTimeMs)
    .describe("How long a peer stays suspended after a failed or lost connection."),
  "received-txs-cache-timeout": durationMs
    .default(defaults.receivedTxsCacheTimeoutMs)
    .describe("How long a repeated transaction from the same peer is ignored; from another one ten seconds at most."),
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
    .describe("Blocks that a heavier branch may replace; also ids per request."),
  "synchronization-timeout": durationMs
    .default(times.synchronizationTimeoutMs)
    .describe("Time limit for requested blocks."),
  "processed-blocks-cache-timeout": durationMs
    .default(times.processedBlocksCacheTimeoutMs)
    .describe("How long a known block is ignored."),
  "score-ttl": durationMs.default(times.scoreTtlMs).describe("How long a peer's score is valid."),
  "invalid-blocks-storage": section({
    "max-size": blocks.default(invalidBlocksStorage.maxSize).describe("Remembered invalid blocks."),
    timeout: durationMs.default(invalidBlocksStorage.timeoutMs).describe("How long they are remembered."),
  }).prefault({}),
  "micro-block-synchronizer": section({
    "wait-response-timeout": durationMs
      .default(microBlockSynchronizer.waitResponseTimeoutMs)
      .describe("Time until another peer is asked for a micro-block."),
    "processed-micro-blocks-cache-timeout": durationMs
      .default(microBlockSynchronizer.processedMicroBlocksCacheTimeoutMs)
      .describe("How long a known micro-block is not requested again."),
    "inv-cache-timeout": durationMs
      .default(microBlockSynchronizer.invCacheTimeoutMs)
      .describe("How long announcements of micro-blocks are remembered."),
  }).prefault({}),
  "history-replier": section({
    "max-micro-block-cache-size": blocks
      .default(historyReplier.maxMicroBlockCacheSize)
      .describe("Micro-blocks cached for peers."),
    "max-block-cache-size": blocks.default(historyReplier.maxBlockCacheSize).describe("Blocks cached for peers."),
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

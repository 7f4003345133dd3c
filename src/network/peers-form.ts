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
    .describe(
      "Address to listen on for other nodes; without it that of `--host`. On Cloudflare: others may connect at `/p2p`.",
    ),
  port: integer(0, 65_535)
    .optional()
    .describe(
      "Port to listen on; 0: none. Without it 6868, of the private network 6860. `--p2p-port` takes precedence.",
    ),
  "declared-address": place.optional().describe("Where other nodes are told to connect to."),
  "node-name": nodeName.optional().describe("What other nodes are told; by default it is made of the nonce."),
  nonce: amount.optional().describe("Tells nodes of one address apart; by default it is drawn at each start."),
  "known-peers": peers
    .optional()
    .describe("Nodes to connect to; of a public network by default its own. `--peers` and `PEERS` add to them."),
  "peers-data-residence-time": durationMs
    .default(defaults.peersDataResidenceTimeMs)
    .describe("How long a node is remembered after it was last heard of."),
  "black-list-residence-time": durationMs
    .default(defaults.blackListResidenceTimeMs)
    .describe("How long there is no connection with one that has broken a rule."),
  "break-idle-connections-timeout": durationMs
    .default(defaults.breakIdleConnectionsTimeoutMs)
    .describe("A connection on which nothing comes for so long is closed."),
  "max-inbound-connections": connections
    .default(defaults.maxInboundConnections)
    .describe("Connections that others have made; never more than 1,000."),
  "max-outbound-connections": connections
    .default(defaults.maxOutboundConnections)
    .describe("Connections that this node has made; on Cloudflare 5 at most (docs/limits.md)."),
  "max-single-host-connections": connections
    .default(defaults.maxSingleHostConnections)
    .describe("Connections with one address."),
  "connection-timeout": durationMs
    .default(defaults.connectionTimeoutMs)
    .describe("How long a node may take to answer."),
  "max-unverified-peers": connections
    .default(defaults.maxUnverifiedPeers)
    .describe("Nodes that others have told of, and that were not reached yet."),
  "enable-peers-exchange": flag
    .default(defaults.enablePeersExchange)
    .describe("Whether nodes are asked for others, and told of them."),
  "enable-blacklisting": flag
    .default(defaults.enableBlacklisting)
    .describe("Whether those that break a rule are shut out."),
  "peers-broadcast-interval": durationMs
    .default(defaults.peersBroadcastIntervalMs)
    .describe("How often others are asked for nodes."),
  "handshake-timeout": durationMs
    .default(defaults.handshakeTimeoutMs)
    .describe("How long a node may take to introduce itself."),
  "suspension-residence-time": durationMs
    .default(defaults.suspensionResidenceTimeMs)
    .describe("How long one that could not be reached, or went, is left alone."),
  "received-txs-cache-timeout": durationMs
    .default(defaults.receivedTxsCacheTimeoutMs)
    .describe(
      "For how long a transaction that came from a node is not read again when it sends it again; from another one ten seconds at most.",
    ),
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
    .describe("Blocks that a heavier branch of others may replace; so many ids are asked for at once."),
  "synchronization-timeout": durationMs
    .default(times.synchronizationTimeoutMs)
    .describe("How long a node may take to send blocks that it was asked for."),
  "processed-blocks-cache-timeout": durationMs
    .default(times.processedBlocksCacheTimeoutMs)
    .describe("For how long a block that was seen is not looked at again."),
  "score-ttl": durationMs.default(times.scoreTtlMs).describe("For how long it holds what a node says of its chain."),
  "invalid-blocks-storage": section({
    "max-size": blocks.default(invalidBlocksStorage.maxSize).describe("Blocks that are remembered as invalid."),
    timeout: durationMs.default(invalidBlocksStorage.timeoutMs).describe("For how long."),
  }).prefault({}),
  "micro-block-synchronizer": section({
    "wait-response-timeout": durationMs
      .default(microBlockSynchronizer.waitResponseTimeoutMs)
      .describe("After which another node is asked for a micro-block."),
    "processed-micro-blocks-cache-timeout": durationMs
      .default(microBlockSynchronizer.processedMicroBlocksCacheTimeoutMs)
      .describe("For how long a micro-block that was seen is not asked for again."),
    "inv-cache-timeout": durationMs
      .default(microBlockSynchronizer.invCacheTimeoutMs)
      .describe("For how long it is remembered which nodes have a micro-block."),
  }).prefault({}),
  "history-replier": section({
    "max-micro-block-cache-size": blocks
      .default(historyReplier.maxMicroBlockCacheSize)
      .describe("Micro-blocks that are kept at hand for others."),
    "max-block-cache-size": blocks.default(historyReplier.maxBlockCacheSize).describe("Blocks that are."),
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

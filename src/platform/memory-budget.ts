/**
 * Bytes that PeerHub, ChainState and the Worker's code may keep: they may share an isolate, so that each bound is a share of one
 * sum. Not in it so far: what is bounded by a number of rows or keys, and what a block takes while it is validated.
 * @see docs/limits.md#peers, docs/decisions/0045-peer-resource-limits.md
 */
const MiB = 2 ** 20;

/**
 * 48 MiB together at most; the rest of an isolate is for everything else. As bytes of the wire: values parsed from them take
 * eight to thirteen times as much, so that `messagesInHand` is small.
 */
export const peerHubBytes = {
  /** Frames that are incomplete or wait to be read: more than the largest block of a block file. */
  heldFrames: 12 * MiB,
  /** Messages that are parsed and validated: a largest block, and part of another one. */
  messagesInHand: 2 * MiB,
  /** Frames to send, of all connections. */
  framesToSend: 8 * MiB,
  /** Blocks of an extension, those on their way to the chain included. */
  extensionBlocks: 12 * MiB,
  /** Responses that several peers may request. */
  cachedBlocks: 2 * MiB,
  cachedSnapshots: MiB,
  cachedMicroSnapshots: MiB,
  microBlocks: 2 * MiB,
  /** Blocks that wait for their snapshots, and micro-blocks that do. */
  blocksWithoutSnapshots: 2 * MiB,
  microBlocksWithoutSnapshots: 2 * MiB,
  /** Transactions that wait for the pool. */
  queuedTransactions: MiB,
} as const;

/** What ChainState keeps from call to call, as far as it is counted in bytes. */
export const chainStateBytes = {
  /** Transactions of the pool, as values. */
  parsedTransactions: 16_000_000,
  /** Parts of an extension that is not whole yet. */
  heldParts: 4 * MiB,
  /** Refusals of transactions, on one state. */
  refusals: MiB / 4,
} as const;

/** What the Worker's code keeps from request to request. */
export const workerBytes = {
  /** Answers, final objects, and rows that questions to the rules read. */
  isolateMemory: 24 * MiB,
} as const;

/**
 * Memory budgets of PeerHub, ChainState and the Worker's code in bytes: they may share an isolate, so each bound is a
 * share of one sum. Not yet included: memory bounded by a number of rows or keys, and the memory of a block under
 * validation.
 * @see docs/limits.md#peers, docs/decisions/0045-peer-resource-limits.md
 */
const MiB = 2 ** 20;

/**
 * 48 MiB together at most; the rest of an isolate is for everything else. Counted as bytes of the wire: values parsed
 * from them take eight to thirteen times as much, so `messagesInHand` is small.
 */
export const peerHubBytes = {
  /** Frames that are incomplete or unread: more than the largest block of a block file. */
  heldFrames: 12 * MiB,
  /** Messages being parsed and validated: a block of the largest size, and part of another one. */
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
  /** Blocks that wait for their snapshots. The next bound is that of such micro-blocks. */
  blocksWithoutSnapshots: 2 * MiB,
  microBlocksWithoutSnapshots: 2 * MiB,
  /** Transactions that wait for the pool. */
  queuedTransactions: MiB,
} as const;

/** Bounds of ChainState's memory that is kept between calls and counted in bytes. */
export const chainStateBytes = {
  /** Parsed transactions of the pool. */
  parsedTransactions: 16_000_000,
  /** Chunks of an incomplete extension. */
  heldParts: 4 * MiB,
  /** Refusals of transactions on one state. */
  refusals: MiB / 4,
} as const;

/** Bounds of the Worker's memory that is kept between requests. */
export const workerBytes = {
  /** Cached responses, final objects, and rows read by requests that run rules. */
  isolateMemory: 24 * MiB,
} as const;

/**
 * Blocks that peers send unrequested: a new one goes to the chain at once, and to the other peers if it is the tip
 * then.
 * @source Waves: state/appender/BlockAppender.scala
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { Block, BlockId, SignedHeader } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import type { ChainForPeers, ReceivedBlocks, ValidationResult } from "../../../src/rpc/chain-for-peers.ts";
import { encodeFlags } from "../../../src/rules/blocks/verified-signatures.ts";
import type { Timers } from "../connection.ts";
import type { ErrorLog } from "../error-log.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";
import { type BlockCheckOptions, type CheckedBlock, checkBlock, invalidSignature } from "./block-check.ts";
import { blockFrame } from "./frames-of-bytes.ts";
import { HostRateLimiter } from "./host-rate-limiter.ts";
import type { InvalidBlocks } from "./invalid-blocks.ts";
import type { KnownTip } from "./known-tip.ts";
import type { OpenPeers } from "./open-peers.ts";
import { pollUntilDone } from "./poll-until-done.ts";
import { Semaphore } from "./semaphore.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";
import { SnapshotRequests } from "./snapshot-requests.ts";

/** Maximum of remembered ids, some 200 bytes each. */
const MOST_REMEMBERED = 10_000;
/** Maximum of concurrent calls to the chain. */
const AT_ONCE = 4;
/** Maximum of blocks in progress per peer; its next message is read once one of them is validated. */
const AT_ONCE_OF_PEER = 2;
/** A larger block is validated before more of its peer is read, since parsed it takes many times its bytes. */
const SMALL_BYTES = 16 * 2 ** 10;
/** Time in which one peer has to send the snapshots of a block. */
const SNAPSHOTS_WAIT_MS = 10_000;
/** Length field before a block. */
const RECORD_HEAD_BYTES = 4;
/**
 * Maximum weight of rejected blocks per host: this number of small ones, or five full ones, whose signatures take more
 * than a second each.
 */
const REJECTED = { limit: 300, perMs: 60_000 } as const;
/** Cost of one endorsement signature, in small blocks. */
const ENDORSEMENT_WEIGHT = 3;

export interface BlockRelayOptions extends BlockCheckOptions {
  readonly errorLog: ErrorLog;
  readonly settings: Pick<SynchronizationSettings, "processedBlocksCacheTimeoutMs">;
  readonly timers: Timers;
  readonly chain: ChainForPeers;
  readonly nowMs: () => number;
  readonly peers: OpenPeers;
  readonly tip: KnownTip;
  readonly invalidBlocks: InvalidBlocks;
}

/** Data about a block until it is validated. */
interface PendingBlock extends Pick<Block, "id"> {
  /** The block is relayed to other peers if it is the tip. */
  readonly isPassedOn: boolean;
  /** Cost of validation, in small blocks. */
  readonly weight: number;
}

export class BlockRelay {
  readonly #options: BlockRelayOptions;
  /** Blocks that the chain has. */
  readonly #processed: ExpiringMap<true>;
  /** Blocks that are with the chain, and their senders. */
  readonly #inFlight = new Map<BytesKey, Set<Peer>>();
  readonly #semaphore = new Semaphore(AT_ONCE);
  /** Limit for blocks that need more than one call: the chain has room for the progress of a few. */
  readonly #longSemaphore = new Semaphore(1);
  /** Number of blocks in progress by peer. */
  readonly #countOf = new WeakMap<Peer, number>();
  readonly #rejected: HostRateLimiter;
  readonly snapshotRequests: SnapshotRequests;

  constructor(options: BlockRelayOptions) {
    this.#options = options;
    const { nowMs, settings, timers } = options;
    const ttlMs = settings.processedBlocksCacheTimeoutMs;
    this.#processed = new ExpiringMap({ ttlMs, maxSize: MOST_REMEMBERED, nowMs });
    this.#rejected = new HostRateLimiter({ ...REJECTED, nowMs });
    this.snapshotRequests = new SnapshotRequests({ kind: "getBlockSnapshot", timers, waitMs: SNAPSHOTS_WAIT_MS });
  }

  /** Whether the chain has the block, or had it a short time ago. */
  isProcessed(id: BlockId): boolean {
    return this.#processed.has(bytesKey(id));
  }

  /** Implements `PeerListener.acceptsHeader` for a block that was not requested. Never rejects. */
  async acceptsHeader(peer: Peer, head: SignedHeader): Promise<boolean> {
    const { chain, chainId, invalidBlocks, errorLog } = this.#options;
    const senders = this.#inFlight.get(bytesKey(head.id));
    senders?.add(peer);
    const reason = invalidBlocks.findReason(head.id);
    if (reason !== undefined) peer.blacklist(refusalOf(head, reason));
    else if (this.#rejected.isOver(peer)) peer.suspend();
    if (senders !== undefined || reason !== undefined || this.#rejected.isOver(peer)) return false;
    const block = { ...head, transactions: [] };
    if (head.header.version >= BlockVersion.Protobuf && !hasValidBlockSignature(block, chainId)) {
      peer.blacklist(refusalOf(head, invalidSignature(head.id)));
      return false;
    }
    const bytes = encodeBlock(block, chainId);
    try {
      const refusal = await chain.findHeaderError(bytes);
      if (refusal !== undefined) this.#countRejected(new Set([peer]), Math.ceil(bytes.length / SMALL_BYTES));
      return refusal === undefined;
    } catch (error) {
      errorLog.add("the chain did not say whether a block may fit", error);
      return true;
    }
  }

  /** @returns undefined, or a promise after which to read the peer's next message */
  received(peer: Peer, block: Block): Promise<void> | undefined {
    const key = bytesKey(block.id);
    const reason = this.#options.invalidBlocks.findReason(block.id);
    if (reason !== undefined) {
      peer.blacklist(refusalOf(block, reason));
      return undefined;
    }
    if (this.isProcessed(block.id)) return undefined;
    const senders = this.#inFlight.get(key);
    if (senders !== undefined) {
      senders.add(peer);
      return undefined;
    }
    // Checked before the signatures are verified, which costs most.
    if (this.#rejected.isOver(peer)) {
      peer.suspend();
      return undefined;
    }
    const checked = checkBlock(block, this.#options);
    if (typeof checked === "string") {
      peer.blacklist(refusalOf(block, checked));
      return undefined;
    }
    const from = new Set([peer]);
    const { awaits } = checked;
    if (awaits !== undefined && (this.#countOf.get(peer) ?? 0) > 0) return undefined;
    this.#inFlight.set(key, from);
    const { transactions, header } = block;
    const isPassedOn = transactions.length === 0 || header.challengedHeader !== undefined;
    const pending = { id: block.id, isPassedOn, weight: weightOf(header, checked.record.length) };
    const validation =
      awaits === undefined
        ? this.#validate(pending, checked, from)
        : this.#settle(pending, { ...checked, awaits }, from);
    const done = validation.then(() => void this.#inFlight.delete(key));
    const isRoomLeft = this.#count(peer, done);
    // The snapshots come as the peer's next message.
    if (awaits !== undefined) return undefined;
    if (checked.record.length > SMALL_BYTES) return done;
    return isRoomLeft ? undefined : done;
  }

  /** Broadcasts a block of this node, in the form of `ChainForPeers.findBlock`. */
  own(bytes: Uint8Array): void {
    this.#options.peers.broadcast(blockFrame(bytes));
  }

  /** Requests the snapshots from the block's senders, one after the other. Never rejects. */
  async #settle(
    block: PendingBlock,
    checked: CheckedBlock & { readonly awaits: number },
    from: ReadonlySet<Peer>,
  ): Promise<void> {
    const { length: sizeBytes } = checked.record;
    const requested = new Set<Peer>();
    const next = (): Peer | undefined => {
      const peer = [...from].find((sender) => !requested.has(sender) && this.#options.peers.has(sender));
      if (peer !== undefined) requested.add(peer);
      return peer;
    };
    const waiting = { id: block.id, sizeBytes, awaits: checked.awaits };
    const isSettled = await this.snapshotRequests.settle(waiting, next, (sent) =>
      this.#validate(block, checked, from, sent),
    );
    if (!isSettled) this.#countRejected(from, block.weight);
  }

  /**
   * Never rejects.
   * @returns false: the block may be valid with other snapshots
   */
  async #validate(
    block: PendingBlock,
    { record, flags }: CheckedBlock,
    from: ReadonlySet<Peer>,
    sent?: SentSnapshots,
  ): Promise<boolean> {
    const snapshots = sent?.record && encodeBlockRecord(sent.record);
    const received = { blocks: record, verified: encodeFlags(flags), ...(snapshots && { snapshots }) };
    try {
      const result = await this.#apply(received);
      if (result.kind === "refused" && result.isOfSnapshots === true) {
        sent?.from.blacklist(refusalOf(block, result.reason));
        return false;
      }
      this.#onResult(block, record.subarray(RECORD_HEAD_BYTES), from, result);
    } catch (error) {
      this.#options.errorLog.add("the chain returned no result for a block", error);
    }
    return true;
  }

  /** Releases the slot between two calls, so that other blocks come in between. */
  async #apply(received: ReceivedBlocks): Promise<ValidationResult> {
    const call = () => this.#semaphore.run(() => this.#options.chain.applyBlock(received));
    const result = await call();
    return result === "unfinished" ? this.#longSemaphore.run(() => pollUntilDone(call, true)) : result;
  }

  #onResult(block: PendingBlock, bytes: Uint8Array, from: ReadonlySet<Peer>, result: ValidationResult): void {
    const { tip, peers, invalidBlocks } = this.#options;
    switch (result.kind) {
      case "applied": {
        this.#processed.set(bytesKey(block.id), true);
        const isTip = equalBytes(result.tip.tipId, block.id);
        if (isTip && block.isPassedOn) peers.broadcast(blockFrame(bytes), from);
        tip.updateIfHeavier(result.tip);
        return;
      }
      case "known":
        this.#processed.set(bytesKey(block.id), true);
        return;
      case "refused":
        if (result.isInvalid) {
          if (result.blockId !== undefined) invalidBlocks.add(result.blockId, result.reason);
          for (const peer of from) peer.blacklist(refusalOf(block, result.reason));
        } else {
          this.#countRejected(from, block.weight);
        }
    }
  }

  #countRejected(from: ReadonlySet<Peer>, weight: number): void {
    for (const peer of from) if (this.#rejected.count(peer, weight)) peer.suspend();
  }

  /** @returns whether the peer may have one more block in progress */
  #count(peer: Peer, done: Promise<void>): boolean {
    const count = (this.#countOf.get(peer) ?? 0) + 1;
    this.#countOf.set(peer, count);
    void done.then(() => this.#countOf.set(peer, (this.#countOf.get(peer) ?? 1) - 1));
    return count < AT_ONCE_OF_PEER;
  }
}

function weightOf({ finalizationVoting: voting }: Block["header"], sizeBytes: number): number {
  const signatures = voting === undefined ? 0 : 1 + voting.conflictEndorsements.length;
  return Math.ceil(sizeBytes / SMALL_BYTES) + ENDORSEMENT_WEIGHT * signatures;
}

function refusalOf({ id }: Pick<Block, "id">, reason: string): string {
  return `Could not append block ${encodeBase58(id)}: ${reason}`;
}

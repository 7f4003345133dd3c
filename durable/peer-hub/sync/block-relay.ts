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
import type { ChainForPeers, Judgement, OfferedBlocks } from "../../../src/rpc/chain-for-peers.ts";
import { encodeFlags } from "../../../src/rules/blocks/verified-signatures.ts";
import type { Timers } from "../connection.ts";
import type { FaultLog } from "../error-log.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";
import { type BlockCheckFacts, type CheckedBlock, checkBlock, invalidSignature } from "./block-check.ts";
import { blockFrame } from "./frames-of-bytes.ts";
import { HostRates } from "./host-rate-limiter.ts";
import type { InvalidBlocks } from "./invalid-blocks.ts";
import type { KnownStanding } from "./known-tip.ts";
import type { OpenPeers } from "./open-peers.ts";
import { finished } from "./poll-until-done.ts";
import { Turns } from "./semaphore.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";
import { SnapshotQuestions } from "./snapshot-requests.ts";

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
const UNFIT = { limit: 300, perMs: 60_000 } as const;
/** Cost of one endorsement signature, in small blocks. */
const ENDORSEMENT_WEIGHT = 3;

export interface BlockRelayFacts extends BlockCheckFacts {
  readonly faults: FaultLog;
  readonly settings: Pick<SynchronizationSettings, "processedBlocksCacheTimeoutMs">;
  readonly timers: Timers;
  readonly chain: ChainForPeers;
  readonly nowMs: () => number;
  readonly peers: OpenPeers;
  readonly standing: KnownStanding;
  readonly invalidBlocks: InvalidBlocks;
}

/** Data about a block until it is validated. */
interface PassedBlock extends Pick<Block, "id"> {
  /** The block is relayed to other peers if it is the tip. */
  readonly isPassedOn: boolean;
  /** Cost of validation, in small blocks. */
  readonly weight: number;
}

export class BlockRelay {
  readonly #facts: BlockRelayFacts;
  /** Blocks that the chain has. */
  readonly #processed: ExpiringMap<true>;
  /** Blocks that are with the chain, and their senders. */
  readonly #underWay = new Map<BytesKey, Set<Peer>>();
  readonly #turns = new Turns(AT_ONCE);
  /** Limit for blocks that need more than one call: the chain has room for the progress of a few. */
  readonly #longTurns = new Turns(1);
  /** Number of blocks in progress by peer. */
  readonly #countOf = new WeakMap<Peer, number>();
  readonly #unfit: HostRates;
  readonly questions: SnapshotQuestions;

  constructor(options: BlockRelayFacts) {
    this.#facts = options;
    const { nowMs, settings, timers } = options;
    const ttlMs = settings.processedBlocksCacheTimeoutMs;
    this.#processed = new ExpiringMap({ ttlMs, maxSize: MOST_REMEMBERED, nowMs });
    this.#unfit = new HostRates({ ...UNFIT, nowMs });
    this.questions = new SnapshotQuestions({ kind: "getBlockSnapshot", timers, waitMs: SNAPSHOTS_WAIT_MS });
  }

  /** Whether the chain has the block, or had it a short time ago. */
  isProcessed(id: BlockId): boolean {
    return this.#processed.has(bytesKey(id));
  }

  /** Implements `PeerListener.takesHead` for a block that was not requested. Never rejects. */
  async takesHead(peer: Peer, head: SignedHeader): Promise<boolean> {
    const { chain, chainId, invalidBlocks, faults } = this.#facts;
    const senders = this.#underWay.get(bytesKey(head.id));
    senders?.add(peer);
    const reason = invalidBlocks.findReason(head.id);
    if (reason !== undefined) peer.blacklist(refusalOf(head, reason));
    else if (this.#unfit.isOver(peer)) peer.suspend();
    if (senders !== undefined || reason !== undefined || this.#unfit.isOver(peer)) return false;
    const block = { ...head, transactions: [] };
    if (head.header.version >= BlockVersion.Protobuf && !hasValidBlockSignature(block, chainId)) {
      peer.blacklist(refusalOf(head, invalidSignature(head.id)));
      return false;
    }
    const bytes = encodeBlock(block, chainId);
    try {
      const refusal = await chain.refusalOfHead(bytes);
      if (refusal !== undefined) this.#countUnfit(new Set([peer]), Math.ceil(bytes.length / SMALL_BYTES));
      return refusal === undefined;
    } catch (error) {
      faults.add("the chain did not say whether a block may fit", error);
      return true;
    }
  }

  /** @returns undefined, or a promise after which to read the peer's next message */
  received(peer: Peer, block: Block): Promise<void> | undefined {
    const key = bytesKey(block.id);
    const reason = this.#facts.invalidBlocks.findReason(block.id);
    if (reason !== undefined) {
      peer.blacklist(refusalOf(block, reason));
      return undefined;
    }
    if (this.isProcessed(block.id)) return undefined;
    const senders = this.#underWay.get(key);
    if (senders !== undefined) {
      senders.add(peer);
      return undefined;
    }
    // Checked before the signatures are verified, which costs most.
    if (this.#unfit.isOver(peer)) {
      peer.suspend();
      return undefined;
    }
    const checked = checkBlock(block, this.#facts);
    if (typeof checked === "string") {
      peer.blacklist(refusalOf(block, checked));
      return undefined;
    }
    const from = new Set([peer]);
    const { awaits } = checked;
    if (awaits !== undefined && (this.#countOf.get(peer) ?? 0) > 0) return undefined;
    this.#underWay.set(key, from);
    const { transactions, header } = block;
    const isPassedOn = transactions.length === 0 || header.challengedHeader !== undefined;
    const pending = { id: block.id, isPassedOn, weight: weightOf(header, checked.record.length) };
    const validation =
      awaits === undefined ? this.#judge(pending, checked, from) : this.#settle(pending, { ...checked, awaits }, from);
    const done = validation.then(() => void this.#underWay.delete(key));
    const isRoomLeft = this.#count(peer, done);
    // The snapshots come as the peer's next message.
    if (awaits !== undefined) return undefined;
    if (checked.record.length > SMALL_BYTES) return done;
    return isRoomLeft ? undefined : done;
  }

  /** Broadcasts a block of this node, in the form of `ChainForPeers.findBlock`. */
  own(bytes: Uint8Array): void {
    this.#facts.peers.broadcast(blockFrame(bytes));
  }

  /** Requests the snapshots from the block's senders, one after the other. Never rejects. */
  async #settle(
    block: PassedBlock,
    checked: CheckedBlock & { readonly awaits: number },
    from: ReadonlySet<Peer>,
  ): Promise<void> {
    const { length: sizeBytes } = checked.record;
    const requested = new Set<Peer>();
    const next = (): Peer | undefined => {
      const peer = [...from].find((sender) => !requested.has(sender) && this.#facts.peers.has(sender));
      if (peer !== undefined) requested.add(peer);
      return peer;
    };
    const waiting = { id: block.id, sizeBytes, awaits: checked.awaits };
    const isSettled = await this.questions.settle(waiting, next, (sent) => this.#judge(block, checked, from, sent));
    if (!isSettled) this.#countUnfit(from, block.weight);
  }

  /**
   * Never rejects.
   * @returns false: the block may be valid with other snapshots
   */
  async #judge(
    block: PassedBlock,
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
      this.#judged(block, record.subarray(RECORD_HEAD_BYTES), from, result);
    } catch (error) {
      this.#facts.faults.add("the chain returned no result for a block", error);
    }
    return true;
  }

  /** Releases the slot between two calls, so that other blocks come in between. */
  async #apply(received: OfferedBlocks): Promise<Judgement> {
    const call = () => this.#turns.run(() => this.#facts.chain.applyBlock(received));
    const result = await call();
    return result === "unfinished" ? this.#longTurns.run(() => finished(call, true)) : result;
  }

  #judged(block: PassedBlock, bytes: Uint8Array, from: ReadonlySet<Peer>, result: Judgement): void {
    const { standing, peers, invalidBlocks } = this.#facts;
    switch (result.kind) {
      case "applied": {
        this.#processed.set(bytesKey(block.id), true);
        const isTip = equalBytes(result.standing.tipId, block.id);
        if (isTip && block.isPassedOn) peers.broadcast(blockFrame(bytes), from);
        standing.answered(result.standing);
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
          this.#countUnfit(from, block.weight);
        }
    }
  }

  #countUnfit(from: ReadonlySet<Peer>, weight: number): void {
    for (const peer of from) if (this.#unfit.count(peer, weight)) peer.suspend();
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

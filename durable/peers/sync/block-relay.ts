/**
 * Blocks that peers send without being asked: a new one goes to the chain at once, and on to the others if it is the tip then.
 * @source Waves: state/appender/BlockAppender.scala
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeFlags } from "../../../src/rules/blocks/verified-signatures.ts";
import type { ChainForPeers, Judgement, OfferedBlocks } from "../chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { FaultLog } from "../fault-log.ts";
import type { Peer } from "../peer.ts";
import { type BlockCheckFacts, type CheckedBlock, checkBlock } from "./block-check.ts";
import { finished } from "./finished.ts";
import { blockFrame } from "./frames-of-bytes.ts";
import { HostRates } from "./host-rates.ts";
import type { InvalidBlocks } from "./invalid-blocks.ts";
import type { KnownStanding } from "./known-standing.ts";
import type { OpenPeers } from "./open-peers.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";
import { SnapshotQuestions } from "./snapshot-questions.ts";
import { Turns } from "./turns.ts";

/** Of an id and what is kept of it, some 200 bytes. */
const MOST_REMEMBERED = 10_000;
/** Blocks of all peers with the chain. */
const AT_ONCE = 4;
/** Of one peer; what it sends next is read once one of them is judged. */
const AT_ONCE_OF_PEER = 2;
/** A larger one is judged before more of its peer is read: read and whole it takes many times its bytes. */
const SMALL_BYTES = 16 * 2 ** 10;
/** For the snapshots of a block, of one peer. */
const SNAPSHOTS_WAIT_MS = 10_000;
/** The length before a block. */
const RECORD_HEAD_BYTES = 4;
/** Blocks that did not fit, of one host: as many small ones, or five full ones, whose signatures take more than a second each. */
const UNFIT = { limit: 300, perMs: 60_000 } as const;
/** What a signature of endorsers takes, in small blocks. */
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

/** What of a block is remembered until it is judged. */
interface PassedBlock extends Pick<Block, "id"> {
  /** Others are sent it if it is the tip. */
  readonly isPassedOn: boolean;
  /** What it takes to judge it, in small blocks. */
  readonly weight: number;
}

export class BlockRelay {
  readonly #facts: BlockRelayFacts;
  /** The chain has them. */
  readonly #processed: ExpiringMap<true>;
  /** Blocks with the chain, and who has sent each. */
  readonly #underWay = new Map<BytesKey, Set<Peer>>();
  readonly #turns = new Turns(AT_ONCE);
  /** Of blocks that the chain does not judge in one call: the chain has room for what it knows of a few. */
  readonly #longTurns = new Turns(1);
  /** How many each peer has under way. */
  readonly #countOf = new WeakMap<Peer, number>();
  readonly #unfit: HostRates;
  readonly questions: SnapshotQuestions;

  constructor(facts: BlockRelayFacts) {
    this.#facts = facts;
    const { nowMs, settings, timers } = facts;
    const ttlMs = settings.processedBlocksCacheTimeoutMs;
    this.#processed = new ExpiringMap({ ttlMs, maxSize: MOST_REMEMBERED, nowMs });
    this.#unfit = new HostRates({ ...UNFIT, nowMs });
    this.questions = new SnapshotQuestions({ kind: "getBlockSnapshot", timers, waitMs: SNAPSHOTS_WAIT_MS });
  }

  /** The chain has it, or had it a short time ago. */
  isProcessed(id: BlockId): boolean {
    return this.#processed.has(bytesKey(id));
  }

  /** @returns undefined, or when the next message of this peer should be read */
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
    // Before its signatures are verified, which is what costs most.
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
    const passed = { id: block.id, isPassedOn, weight: weightOf(header, checked.record.length) };
    const judging =
      awaits === undefined ? this.#judge(passed, checked, from) : this.#settle(passed, { ...checked, awaits }, from);
    const judged = judging.then(() => void this.#underWay.delete(key));
    const isRoomLeft = this.#count(peer, judged);
    // Its snapshots come behind it.
    if (awaits !== undefined) return undefined;
    if (checked.record.length > SMALL_BYTES) return judged;
    return isRoomLeft ? undefined : judged;
  }

  /** A block of this node, as `ChainForPeers.findBlock` gives it. */
  own(bytes: Uint8Array): void {
    this.#facts.peers.broadcast(blockFrame(bytes));
  }

  /** Asks those who have sent it for its snapshots, one after the other. Never rejects. */
  async #settle(
    block: PassedBlock,
    checked: CheckedBlock & { readonly awaits: number },
    from: ReadonlySet<Peer>,
  ): Promise<void> {
    const { length: sizeBytes } = checked.record;
    const asked = new Set<Peer>();
    const next = (): Peer | undefined => {
      const peer = [...from].find((sender) => !asked.has(sender) && this.#facts.peers.has(sender));
      if (peer !== undefined) asked.add(peer);
      return peer;
    };
    const waiting = { id: block.id, sizeBytes, awaits: checked.awaits };
    const isSettled = await this.questions.settle(waiting, next, (sent) => this.#judge(block, checked, from, sent));
    if (!isSettled) this.#countUnfit(from, block.weight);
  }

  /**
   * Never rejects.
   * @returns false: with other snapshots it may be another matter
   */
  async #judge(
    block: PassedBlock,
    { record, flags }: CheckedBlock,
    from: ReadonlySet<Peer>,
    sent?: SentSnapshots,
  ): Promise<boolean> {
    const snapshots = sent?.record && encodeBlockRecord(sent.record);
    const offer = { blocks: record, verified: encodeFlags(flags), ...(snapshots && { snapshots }) };
    try {
      const judgement = await this.#apply(offer);
      if (judgement.kind === "refused" && judgement.isOfSnapshots === true) {
        sent?.from.blacklist(refusalOf(block, judgement.reason));
        return false;
      }
      this.#judged(block, record.subarray(RECORD_HEAD_BYTES), from, judgement);
    } catch (error) {
      this.#facts.faults.add("the chain did not say what became of a block", error);
    }
    return true;
  }

  /** Others come between two calls. */
  async #apply(offer: OfferedBlocks): Promise<Judgement> {
    const call = () => this.#turns.run(() => this.#facts.chain.applyBlock(offer));
    const judgement = await call();
    return judgement === "unfinished" ? this.#longTurns.run(() => finished(call, true)) : judgement;
  }

  #judged(block: PassedBlock, bytes: Uint8Array, from: ReadonlySet<Peer>, judgement: Judgement): void {
    const { standing, peers, invalidBlocks } = this.#facts;
    switch (judgement.kind) {
      case "applied": {
        this.#processed.set(bytesKey(block.id), true);
        const isTip = equalBytes(judgement.standing.tipId, block.id);
        if (isTip && block.isPassedOn) peers.broadcast(blockFrame(bytes), from);
        standing.answered(judgement.standing);
        return;
      }
      case "known":
        this.#processed.set(bytesKey(block.id), true);
        return;
      case "refused":
        if (judgement.isInvalid) {
          if (judgement.blockId !== undefined) invalidBlocks.add(judgement.blockId, judgement.reason);
          for (const peer of from) peer.blacklist(refusalOf(block, judgement.reason));
        } else {
          this.#countUnfit(from, block.weight);
        }
    }
  }

  #countUnfit(from: ReadonlySet<Peer>, weight: number): void {
    for (const peer of from) if (this.#unfit.count(peer, weight)) peer.suspend();
  }

  /** @returns whether the peer may have one more under way */
  #count(peer: Peer, judged: Promise<void>): boolean {
    const count = (this.#countOf.get(peer) ?? 0) + 1;
    this.#countOf.set(peer, count);
    void judged.then(() => this.#countOf.set(peer, (this.#countOf.get(peer) ?? 1) - 1));
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

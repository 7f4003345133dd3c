/**
 * Blocks that peers send without being asked: a new one goes to the chain at once, and on to the others if it is the tip then.
 * @source Waves: state/appender/BlockAppender.scala
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeFlags } from "../../../src/rules/blocks/verified-signatures.ts";
import { logFault } from "../../log.ts";
import type { ChainForPeers, Judgement } from "../chain-for-peers.ts";
import type { Peer } from "../peer.ts";
import { checkBlock } from "./block-check.ts";
import { ExpiringMap } from "./expiring-map.ts";
import { blockFrame } from "./frames-of-bytes.ts";
import type { InvalidBlocks } from "./invalid-blocks.ts";
import type { KnownStanding } from "./known-standing.ts";
import type { OpenPeers } from "./open-peers.ts";
import { PeerRates } from "./peer-rates.ts";
import { Turns } from "./turns.ts";

/** Of an id and what is kept of it, some 200 bytes. */
const MOST_REMEMBERED = 10_000;
/** Blocks of all peers with the chain. */
const AT_ONCE = 4;
/** Of one peer; what it sends next is read once one of them is judged. */
const AT_ONCE_OF_PEER = 2;
/** Blocks that did not fit, of one peer. */
const UNFIT = { limit: 100, perMs: 60_000 } as const;

export interface BlockRelayFacts {
  readonly settings: Pick<SynchronizationSettings, "processedBlocksCacheTimeoutMs">;
  readonly chainId: number;
  readonly chain: ChainForPeers;
  readonly nowMs: () => number;
  readonly peers: OpenPeers;
  readonly standing: KnownStanding;
  readonly invalidBlocks: InvalidBlocks;
}

export class BlockRelay {
  readonly #facts: BlockRelayFacts;
  /** The chain has them. */
  readonly #processed: ExpiringMap<true>;
  /** Blocks with the chain, and who has sent each. */
  readonly #underWay = new Map<BytesKey, Set<Peer>>();
  readonly #turns = new Turns(AT_ONCE);
  readonly #turnsOf = new WeakMap<Peer, { count: number; resume: (() => void)[] }>();
  readonly #unfit: PeerRates;

  constructor(facts: BlockRelayFacts) {
    this.#facts = facts;
    const { nowMs, settings } = facts;
    const ttlMs = settings.processedBlocksCacheTimeoutMs;
    this.#processed = new ExpiringMap({ ttlMs, maxSize: MOST_REMEMBERED, nowMs });
    this.#unfit = new PeerRates({ ...UNFIT, nowMs });
  }

  /** @returns undefined, or when the next message of this peer should be read */
  received(peer: Peer, block: Block): Promise<void> | undefined {
    const key = bytesKey(block.id);
    const reason = this.#facts.invalidBlocks.findReason(block.id);
    if (reason !== undefined) {
      peer.blacklist(refusalOf(block, reason));
      return undefined;
    }
    if (this.#processed.has(key)) return undefined;
    const senders = this.#underWay.get(key);
    if (senders !== undefined) {
      senders.add(peer);
      return undefined;
    }
    const checked = checkBlock(block, this.#facts.chainId);
    if (typeof checked === "string") {
      peer.blacklist(refusalOf(block, checked));
      return undefined;
    }
    const from = new Set([peer]);
    this.#underWay.set(key, from);
    const offer = { blocks: checked.record, verified: encodeFlags(checked.flags) };
    return this.#countOf(peer, async () => {
      try {
        const judgement = await this.#turns.run(() => this.#facts.chain.applyBlock(offer));
        this.#judged(block, checked.record.subarray(4), from, judgement);
      } catch (error) {
        logFault("the chain did not say what became of a block", error);
      } finally {
        this.#underWay.delete(key);
      }
    });
  }

  /** A block of this node, as `ChainForPeers.findBlock` gives it. */
  own(bytes: Uint8Array): void {
    this.#facts.peers.broadcast(blockFrame(bytes));
  }

  #judged(block: Block, bytes: Uint8Array, from: ReadonlySet<Peer>, judgement: Judgement): void {
    const { standing, peers, invalidBlocks } = this.#facts;
    switch (judgement.kind) {
      case "applied": {
        this.#processed.set(bytesKey(block.id), true);
        const isTip = equalBytes(judgement.standing.tipId, block.id);
        const isWhole = block.transactions.length === 0 || block.header.challengedHeader !== undefined;
        if (isTip && isWhole) peers.broadcast(blockFrame(bytes), from);
        standing.answered(judgement.standing);
        return;
      }
      case "known":
        this.#processed.set(bytesKey(block.id), true);
        return;
      case "refused":
        if (judgement.isInvalid) {
          invalidBlocks.add(block.id, judgement.reason);
          for (const peer of from) peer.blacklist(refusalOf(block, judgement.reason));
        } else {
          for (const peer of from) if (this.#unfit.isOver(peer)) peer.suspend();
        }
    }
  }

  /** Does the work. @returns undefined where the peer may have more of it under way, or when that is so */
  #countOf(peer: Peer, work: () => Promise<void>): Promise<void> | undefined {
    const turns = this.#turnsOf.get(peer) ?? { count: 0, resume: [] };
    this.#turnsOf.set(peer, turns);
    turns.count += 1;
    void work().finally(() => {
      turns.count -= 1;
      for (const resume of turns.resume.splice(0)) resume();
    });
    return turns.count < AT_ONCE_OF_PEER ? undefined : new Promise((resolve) => turns.resume.push(resolve));
  }
}

function refusalOf({ id }: Block, reason: string): string {
  return `Could not append block ${encodeBase58(id)}: ${reason}`;
}

/**
 * Micro-blocks: they are announced, asked for once what they extend is the tip, and announced further once the chain has them.
 * @source Waves: network/MicroBlockSynchronizer.scala, state/appender/MicroblockAppender.scala
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, concatBytes, equalBytes } from "../../../src/crypto/bytes.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { SyncActivity } from "../../../src/env.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { BlockId, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { encodeMicroBlock } from "../../../src/protocol/messages/micro-block.ts";
import {
  encodeMicroBlockInv,
  hasValidMicroBlockInvSignature,
  type MicroBlockInv,
} from "../../../src/protocol/messages/micro-block-inv.ts";
import type { ChainForPeers, ChainStanding, Judgement } from "../chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { FaultLog } from "../fault-log.ts";
import type { Peer } from "../peer.ts";
import { isProved } from "./block-check.ts";
import { finished } from "./finished.ts";
import { payloadFrame } from "./frames-of-bytes.ts";
import { HostRates } from "./host-rates.ts";
import { shortId } from "./id-text.ts";
import type { KeptMicroBlocks } from "./kept-micro-blocks.ts";
import type { KnownStanding, StandingListener } from "./known-standing.ts";
import type { OpenPeers } from "./open-peers.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";
import { SnapshotQuestions } from "./snapshot-questions.ts";

/** How many peers are asked for a micro-block. */
const ATTEMPTS = 2;
/** Announcements that are remembered, of all peers. */
const MOST_REMEMBERED = 5_000;
/**
 * Of one peer on one block: a generator may have made two, by mistake. Peers who announce what there is not do not so keep out
 * what others announce.
 */
const MOST_ON_ONE_BLOCK_OF_PEER = 2;
/** Announcements that nobody else has sent before, of one host. */
const RATE = { limit: 100, perMs: 10_000 } as const;

export interface MicroBlockRelayFacts {
  readonly faults: FaultLog;
  readonly settings: SynchronizationSettings["microBlockSynchronizer"];
  readonly chainId: number;
  /** What transactions do is taken from snapshots. */
  readonly isLight: boolean;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly peers: OpenPeers;
  readonly standing: KnownStanding;
  readonly kept: KeptMicroBlocks;
}

/** A micro-block that was announced. */
interface Announced {
  readonly inv: MicroBlockInv;
  /** As it was signed. */
  readonly bytes: Uint8Array;
  /** Who has announced it, and so has it. */
  readonly owners: Set<Peer>;
  /** Who was asked for it. */
  readonly asked: Set<Peer>;
  attemptsLeft: number;
  /** It is here. */
  isReceived: boolean;
}

export class MicroBlockRelay implements StandingListener {
  readonly #facts: MicroBlockRelayFacts;
  /** By `announcementKey`. */
  readonly #announced: ExpiringMap<Announced>;
  /** By what they extend. */
  readonly #onBlock: ExpiringMap<Announced[]>;
  /** The chain has judged them. */
  readonly #processed: ExpiringMap<true>;
  readonly #rates: HostRates;
  readonly questions: SnapshotQuestions;

  constructor(facts: MicroBlockRelayFacts) {
    this.#facts = facts;
    const { settings, timers, standing } = facts;
    const nowMs = (): number => timers.nowMs();
    const announcements = { ttlMs: settings.invCacheTimeoutMs, maxSize: MOST_REMEMBERED, nowMs };
    this.#announced = new ExpiringMap(announcements);
    this.#onBlock = new ExpiringMap(announcements);
    const ttlMs = settings.processedMicroBlocksCacheTimeoutMs;
    this.#processed = new ExpiringMap({ ttlMs, maxSize: MOST_REMEMBERED, nowMs });
    this.#rates = new HostRates({ ...RATE, nowMs });
    const { waitResponseTimeoutMs: waitMs } = settings;
    this.questions = new SnapshotQuestions({ kind: "getMicroBlockSnapshot", timers, waitMs });
    standing.listen(this);
  }

  get counts(): SyncActivity["microBlocks"] {
    const announced = [...this.#announced.values()];
    return {
      announced: announced.length,
      bases: this.#onBlock.size,
      awaited: announced.filter(({ asked, isReceived }) => asked.size > 0 && !isReceived).length,
      judged: this.#processed.size,
    };
  }

  /** The tip may be what an announced micro-block extends. */
  changed({ tipId }: ChainStanding, before: ChainStanding | undefined): void {
    if (before !== undefined && equalBytes(before.tipId, tipId)) return;
    for (const announced of this.#onBlock.get(bytesKey(tipId)) ?? []) this.#ask(announced);
  }

  receivedInv(peer: Peer, inv: MicroBlockInv): void {
    const key = announcementKey(inv);
    const bytes = encodeMicroBlockInv(inv);
    const before = this.#announced.get(key);
    if (before !== undefined && equalBytes(before.bytes, bytes)) {
      before.owners.add(peer);
      this.#askIfNext(before);
      return;
    }
    if (this.#rates.count(peer)) {
      peer.suspend();
      return;
    }
    if (!hasValidMicroBlockInvSignature(inv, this.#facts.chainId)) {
      peer.blacklist(`InvalidSignature(${invText(inv)} reason: None)`);
      return;
    }
    if (before !== undefined || this.#processed.has(bytesKey(inv.totalBlockId))) return;
    this.#remember(key, {
      inv,
      bytes,
      owners: new Set([peer]),
      asked: new Set(),
      attemptsLeft: ATTEMPTS,
      isReceived: false,
    });
  }

  /** @returns undefined, or when the chain has judged it; snapshots of it come behind it */
  receivedMicroBlock(peer: Peer, microBlock: MicroBlock): Promise<void> | undefined {
    const announced = this.#announced.get(announcementKey(microBlock));
    // Nobody asked this peer for it, or somebody else was quicker.
    if (announced === undefined || announced.isReceived || !announced.asked.has(peer)) return undefined;
    announced.isReceived = true;
    const payload = encodeMicroBlock(microBlock);
    if (!this.#facts.isLight || !isProved(microBlock)) return this.#apply(peer, announced, payload).then(() => {});
    void this.#settle(peer, announced, payload, microBlock.transactions.length);
    return undefined;
  }

  /** A micro-block of this node. */
  own({ inv, totalId, microBlock }: { inv: Uint8Array; totalId: Uint8Array; microBlock: Uint8Array }): void {
    this.#processed.set(bytesKey(totalId), true);
    this.#facts.kept.add(totalId, microBlock);
    this.#facts.peers.broadcast(payloadFrame("microBlockInv", inv));
  }

  #remember(key: BytesKey, announced: Announced): void {
    const { reference } = announced.inv;
    const [peer] = announced.owners as Iterable<Peer> as [Peer];
    const place = bytesKey(reference);
    const others = this.#onBlock.get(place) ?? [];
    const ofPeer = others.filter(({ owners }) => owners.has(peer)).length;
    if (ofPeer >= MOST_ON_ONE_BLOCK_OF_PEER) return;
    this.#announced.set(key, announced);
    if (others.length === 0) this.#onBlock.set(place, [announced]);
    else others.push(announced);
    this.#askIfNext(announced);
  }

  #askIfNext(announced: Announced): void {
    const tipId = this.#facts.standing.current?.tipId;
    if (tipId !== undefined && equalBytes(tipId, announced.inv.reference) && announced.asked.size === 0)
      this.#ask(announced);
  }

  /** Asks one who has it, and after a while another one. */
  #ask(announced: Announced): void {
    const { timers, settings } = this.#facts;
    const { totalBlockId } = announced.inv;
    if (announced.attemptsLeft === 0 || announced.isReceived || this.#processed.has(bytesKey(totalBlockId))) return;
    const peer = this.#anyOwner(announced);
    if (peer === undefined) return;
    announced.attemptsLeft -= 1;
    announced.asked.add(peer);
    peer.send({ kind: "getMicroBlock", value: totalBlockId });
    timers.after(settings.waitResponseTimeoutMs, () => this.#ask(announced));
  }

  #anyOwner({ owners, asked }: Announced): Peer | undefined {
    const { peers, random } = this.#facts;
    const choices = [...owners].filter((peer) => peers.has(peer) && !asked.has(peer));
    const [draw] = random(1);
    return choices[(draw ?? 0) % Math.max(1, choices.length)];
  }

  /** Asks for its snapshots who has sent it, and after that others who have it. Never rejects. */
  async #settle(peer: Peer, announced: Announced, payload: Uint8Array, awaits: number): Promise<void> {
    const { peers } = this.#facts;
    const asked = new Set<Peer>();
    const next = (): Peer | undefined => {
      const choices = [peer, ...announced.owners].filter((owner) => peers.has(owner) && !asked.has(owner));
      const [choice] = asked.size < ATTEMPTS ? choices : [];
      if (choice !== undefined) asked.add(choice);
      return choice;
    };
    const waiting = { id: announced.inv.totalBlockId, sizeBytes: payload.length, awaits };
    const use = (sent: SentSnapshots) => this.#apply(peer, announced, payload, sent);
    if (!(await this.questions.settle(waiting, next, use))) announced.isReceived = false;
  }

  /**
   * Never rejects.
   * @returns false: with other snapshots it may be another matter
   */
  async #apply(peer: Peer, announced: Announced, payload: Uint8Array, sent?: SentSnapshots): Promise<boolean> {
    try {
      const judgement = await finished(() => this.#facts.chain.applyMicroBlock(payload, sent?.record));
      if (judgement.kind === "refused" && judgement.isOfSnapshots === true) {
        sent?.from.blacklist(refusalOf(announced, judgement.reason));
        return false;
      }
      this.#judged(peer, announced, payload, judgement);
    } catch (error) {
      announced.isReceived = false;
      this.#facts.faults.add("the chain did not say what became of a micro-block", error);
    }
    return true;
  }

  #judged(peer: Peer, announced: Announced, payload: Uint8Array, judgement: Judgement): void {
    const { kept, peers, standing } = this.#facts;
    const { inv, bytes, owners } = announced;
    const key = bytesKey(inv.totalBlockId);
    switch (judgement.kind) {
      case "applied":
        this.#processed.set(key, true);
        kept.add(inv.totalBlockId, payload);
        peers.broadcast(payloadFrame("microBlockInv", bytes), owners);
        standing.answered(judgement.standing);
        return;
      case "known":
        this.#processed.set(key, true);
        kept.add(inv.totalBlockId, payload);
        return;
      case "refused":
        if (!judgement.isInvalid) return;
        // What this peer has sent need not be what the generator has made: another one is asked when its time comes.
        announced.isReceived = false;
        peer.blacklist(refusalOf(announced, judgement.reason));
    }
  }
}

function refusalOf({ inv }: Announced, reason: string): string {
  return `Could not append microblock ${encodeBase58(inv.totalBlockId)}: ${reason}`;
}

/** Whoever has heard of a micro-block can announce it as its own before its generator is heard: both are asked for. */
function announcementKey({ totalBlockId, sender }: Pick<MicroBlockInv, "totalBlockId" | "sender">): BytesKey {
  return bytesKey(concatBytes(totalBlockId, sender));
}

function invText({ totalBlockId, reference }: { totalBlockId: BlockId; reference: BlockId }): string {
  return `MicroBlockInv(${shortId(totalBlockId)} ~> ${shortId(reference)})`;
}

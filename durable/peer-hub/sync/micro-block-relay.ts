/**
 * Micro-blocks: announced by peers, requested once their parent is the tip, and announced to others once the chain has
 * them.
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
import type { ChainForPeers, ChainStanding, Judgement } from "../../../src/rpc/chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { FaultLog } from "../error-log.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";
import { isProved } from "./block-check.ts";
import { payloadFrame } from "./frames-of-bytes.ts";
import { HostRates } from "./host-rate-limiter.ts";
import { shortId } from "./id-text.ts";
import type { KnownStanding, StandingListener } from "./known-tip.ts";
import type { KeptMicroBlocks } from "./micro-block-cache.ts";
import type { OpenPeers } from "./open-peers.ts";
import { finished } from "./poll-until-done.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";
import { SnapshotQuestions } from "./snapshot-requests.ts";

/** Maximum of peers from which a micro-block is requested. */
const ATTEMPTS = 2;
/** Maximum of remembered announcements, of all peers. */
const MOST_REMEMBERED = 5_000;
/**
 * Maximum per peer and parent: a generator may have made two by mistake. It keeps peers with false announcements from
 * displacing others.
 */
const MOST_ON_ONE_BLOCK_OF_PEER = 2;
/** Maximum of first announcements per host. */
const RATE = { limit: 100, perMs: 10_000 } as const;

export interface MicroBlockRelayFacts {
  readonly faults: FaultLog;
  readonly settings: SynchronizationSettings["microBlockSynchronizer"];
  readonly chainId: number;
  /** State snapshots replace running the transactions. */
  readonly isLight: boolean;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly peers: OpenPeers;
  readonly standing: KnownStanding;
  readonly kept: KeptMicroBlocks;
}

/** Announced micro-block. */
interface Announced {
  readonly inv: MicroBlockInv;
  /** Signed announcement. */
  readonly bytes: Uint8Array;
  /** Peers that have announced the micro-block, and so have it. */
  readonly owners: Set<Peer>;
  /** Peers from which it was requested. */
  readonly asked: Set<Peer>;
  attemptsLeft: number;
  /** The micro-block has arrived. */
  isReceived: boolean;
}

export class MicroBlockRelay implements StandingListener {
  readonly #facts: MicroBlockRelayFacts;
  /** By `announcementKey`. */
  readonly #announced: ExpiringMap<Announced>;
  /** By parent. */
  readonly #onBlock: ExpiringMap<Announced[]>;
  /** Micro-blocks that the chain has validated. */
  readonly #processed: ExpiringMap<true>;
  readonly #rates: HostRates;
  readonly questions: SnapshotQuestions;

  constructor(options: MicroBlockRelayFacts) {
    this.#facts = options;
    const { settings, timers, standing } = options;
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

  /** The new tip may be the parent of an announced micro-block. */
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

  /** @returns undefined, or a promise that resolves after the validation; snapshots come as the peer's next message */
  receivedMicroBlock(peer: Peer, microBlock: MicroBlock): Promise<void> | undefined {
    const announced = this.#announced.get(announcementKey(microBlock));
    // It was not requested from this peer, or another peer was quicker.
    if (announced === undefined || announced.isReceived || !announced.asked.has(peer)) return undefined;
    announced.isReceived = true;
    const payload = encodeMicroBlock(microBlock);
    if (!this.#facts.isLight || !isProved(microBlock)) return this.#apply(peer, announced, payload).then(() => {});
    void this.#settle(peer, announced, payload, microBlock.transactions.length);
    return undefined;
  }

  /** Announces a micro-block of this node. */
  own({ inv, totalId, microBlock }: { inv: Uint8Array; totalId: Uint8Array; microBlock: Uint8Array }): void {
    this.#processed.set(bytesKey(totalId), true);
    this.#facts.kept.add(totalId, microBlock);
    this.#facts.peers.broadcast(payloadFrame("microBlockInv", inv));
  }

  #remember(key: BytesKey, announced: Announced): void {
    const { reference } = announced.inv;
    const [peer] = announced.owners as Iterable<Peer> as [Peer];
    const parentKey = bytesKey(reference);
    const others = this.#onBlock.get(parentKey) ?? [];
    const countOfPeer = others.filter(({ owners }) => owners.has(peer)).length;
    if (countOfPeer >= MOST_ON_ONE_BLOCK_OF_PEER) return;
    this.#announced.set(key, announced);
    if (others.length === 0) this.#onBlock.set(parentKey, [announced]);
    else others.push(announced);
    this.#askIfNext(announced);
  }

  #askIfNext(announced: Announced): void {
    const tipId = this.#facts.standing.current?.tipId;
    if (tipId !== undefined && equalBytes(tipId, announced.inv.reference) && announced.asked.size === 0)
      this.#ask(announced);
  }

  /** Requests the micro-block from one owner, and after a while from another one. */
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

  /** Requests the snapshots from the sender, then from other owners. Never rejects. */
  async #settle(peer: Peer, announced: Announced, payload: Uint8Array, awaits: number): Promise<void> {
    const { peers } = this.#facts;
    const requested = new Set<Peer>();
    const next = (): Peer | undefined => {
      const choices = [peer, ...announced.owners].filter((owner) => peers.has(owner) && !requested.has(owner));
      const [choice] = requested.size < ATTEMPTS ? choices : [];
      if (choice !== undefined) requested.add(choice);
      return choice;
    };
    const waiting = { id: announced.inv.totalBlockId, sizeBytes: payload.length, awaits };
    const use = (sent: SentSnapshots) => this.#apply(peer, announced, payload, sent);
    if (!(await this.questions.settle(waiting, next, use))) announced.isReceived = false;
  }

  /**
   * Never rejects.
   * @returns false: the micro-block may be valid with other snapshots
   */
  async #apply(peer: Peer, announced: Announced, payload: Uint8Array, sent?: SentSnapshots): Promise<boolean> {
    try {
      const result = await finished(() => this.#facts.chain.applyMicroBlock(payload, sent?.record));
      if (result.kind === "refused" && result.isOfSnapshots === true) {
        sent?.from.blacklist(refusalOf(announced, result.reason));
        return false;
      }
      this.#judged(peer, announced, payload, result);
    } catch (error) {
      announced.isReceived = false;
      this.#facts.faults.add("the chain returned no result for a micro-block", error);
    }
    return true;
  }

  #judged(peer: Peer, announced: Announced, payload: Uint8Array, result: Judgement): void {
    const { kept, peers, standing } = this.#facts;
    const { inv, bytes, owners } = announced;
    const key = bytesKey(inv.totalBlockId);
    switch (result.kind) {
      case "applied":
        this.#processed.set(key, true);
        kept.add(inv.totalBlockId, payload);
        peers.broadcast(payloadFrame("microBlockInv", bytes), owners);
        standing.answered(result.standing);
        return;
      case "known":
        this.#processed.set(key, true);
        kept.add(inv.totalBlockId, payload);
        return;
      case "refused":
        if (!result.isInvalid) return;
        // The peer may have changed the generator's micro-block: it is requested from another one after the timeout.
        announced.isReceived = false;
        peer.blacklist(refusalOf(announced, result.reason));
    }
  }
}

function refusalOf({ inv }: Announced, reason: string): string {
  return `Could not append microblock ${encodeBase58(inv.totalBlockId)}: ${reason}`;
}

/**
 * Key that includes the sender: a peer can announce a micro-block as its own before its generator's announcement
 * arrives, and both are requested.
 */
function announcementKey({ totalBlockId, sender }: Pick<MicroBlockInv, "totalBlockId" | "sender">): BytesKey {
  return bytesKey(concatBytes(totalBlockId, sender));
}

function invText({ totalBlockId, reference }: { totalBlockId: BlockId; reference: BlockId }): string {
  return `MicroBlockInv(${shortId(totalBlockId)} ~> ${shortId(reference)})`;
}

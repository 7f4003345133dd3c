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
import type { ChainForPeers, ChainTip, ValidationResult } from "../../../src/rpc/chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { ErrorLog } from "../error-log.ts";
import { ExpiringMap } from "../expiring-map.ts";
import type { Peer } from "../peer.ts";
import { isProved } from "./block-check.ts";
import { payloadFrame } from "./frames-of-bytes.ts";
import { HostRateLimiter } from "./host-rate-limiter.ts";
import { shortId } from "./id-text.ts";
import type { KnownTip, TipListener } from "./known-tip.ts";
import type { MicroBlockCache } from "./micro-block-cache.ts";
import type { OpenPeers } from "./open-peers.ts";
import { pollUntilDone } from "./poll-until-done.ts";
import type { SentSnapshots } from "./sent-snapshots.ts";
import { SnapshotRequests } from "./snapshot-requests.ts";

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

export interface MicroBlockRelayOptions {
  readonly errorLog: ErrorLog;
  readonly settings: SynchronizationSettings["microBlockSynchronizer"];
  readonly chainId: number;
  /** State snapshots replace running the transactions. */
  readonly isLight: boolean;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly peers: OpenPeers;
  readonly tip: KnownTip;
  readonly microBlockCache: MicroBlockCache;
}

/** Announced micro-block. */
interface Announced {
  readonly inv: MicroBlockInv;
  /** Signed announcement. */
  readonly bytes: Uint8Array;
  /** Peers that have announced the micro-block, and so have it. */
  readonly owners: Set<Peer>;
  /** Peers from which it was requested. */
  readonly requestedFrom: Set<Peer>;
  attemptsLeft: number;
  /** The micro-block has arrived. */
  isReceived: boolean;
}

export class MicroBlockRelay implements TipListener {
  readonly #options: MicroBlockRelayOptions;
  /** By `announcementKey`. */
  readonly #announced: ExpiringMap<Announced>;
  /** By parent. */
  readonly #onBlock: ExpiringMap<Announced[]>;
  /** Micro-blocks that the chain has validated. */
  readonly #processed: ExpiringMap<true>;
  readonly #rateLimiter: HostRateLimiter;
  readonly snapshotRequests: SnapshotRequests;

  constructor(options: MicroBlockRelayOptions) {
    this.#options = options;
    const { settings, timers, tip } = options;
    const nowMs = (): number => timers.nowMs();
    const announcements = { ttlMs: settings.invCacheTimeoutMs, maxSize: MOST_REMEMBERED, nowMs };
    this.#announced = new ExpiringMap(announcements);
    this.#onBlock = new ExpiringMap(announcements);
    const ttlMs = settings.processedMicroBlocksCacheTimeoutMs;
    this.#processed = new ExpiringMap({ ttlMs, maxSize: MOST_REMEMBERED, nowMs });
    this.#rateLimiter = new HostRateLimiter({ ...RATE, nowMs });
    const { waitResponseTimeoutMs: waitMs } = settings;
    this.snapshotRequests = new SnapshotRequests({ kind: "getMicroBlockSnapshot", timers, waitMs });
    tip.listen(this);
  }

  get counts(): SyncActivity["microBlocks"] {
    const announced = [...this.#announced.values()];
    return {
      announced: announced.length,
      bases: this.#onBlock.size,
      awaited: announced.filter(({ requestedFrom, isReceived }) => requestedFrom.size > 0 && !isReceived).length,
      validated: this.#processed.size,
    };
  }

  /** The new tip may be the parent of an announced micro-block. */
  changed({ tipId }: ChainTip, before: ChainTip | undefined): void {
    if (before !== undefined && equalBytes(before.tipId, tipId)) return;
    for (const announced of this.#onBlock.get(bytesKey(tipId)) ?? []) this.#request(announced);
  }

  receivedInv(peer: Peer, inv: MicroBlockInv): void {
    const key = announcementKey(inv);
    const bytes = encodeMicroBlockInv(inv);
    const before = this.#announced.get(key);
    if (before !== undefined && equalBytes(before.bytes, bytes)) {
      before.owners.add(peer);
      this.#requestIfNext(before);
      return;
    }
    if (this.#rateLimiter.count(peer)) {
      peer.suspend();
      return;
    }
    if (!hasValidMicroBlockInvSignature(inv, this.#options.chainId)) {
      peer.blacklist(`InvalidSignature(${invText(inv)} reason: None)`);
      return;
    }
    if (before !== undefined || this.#processed.has(bytesKey(inv.totalBlockId))) return;
    this.#remember(key, {
      inv,
      bytes,
      owners: new Set([peer]),
      requestedFrom: new Set(),
      attemptsLeft: ATTEMPTS,
      isReceived: false,
    });
  }

  /** @returns undefined, or a promise that resolves after the validation; snapshots come as the peer's next message */
  receivedMicroBlock(peer: Peer, microBlock: MicroBlock): Promise<void> | undefined {
    const announced = this.#announced.get(announcementKey(microBlock));
    // It was not requested from this peer, or another peer was quicker.
    if (announced === undefined || announced.isReceived || !announced.requestedFrom.has(peer)) return undefined;
    announced.isReceived = true;
    const payload = encodeMicroBlock(microBlock);
    if (!this.#options.isLight || !isProved(microBlock)) return this.#apply(peer, announced, payload).then(() => {});
    void this.#settle(peer, announced, payload, microBlock.transactions.length);
    return undefined;
  }

  /** Announces a micro-block of this node. */
  own({ inv, totalId, microBlock }: { inv: Uint8Array; totalId: Uint8Array; microBlock: Uint8Array }): void {
    this.#processed.set(bytesKey(totalId), true);
    this.#options.microBlockCache.add(totalId, microBlock);
    this.#options.peers.broadcast(payloadFrame("microBlockInv", inv));
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
    this.#requestIfNext(announced);
  }

  #requestIfNext(announced: Announced): void {
    const tipId = this.#options.tip.current?.tipId;
    if (tipId !== undefined && equalBytes(tipId, announced.inv.reference) && announced.requestedFrom.size === 0)
      this.#request(announced);
  }

  /** Requests the micro-block from one owner, and after a while from another one. */
  #request(announced: Announced): void {
    const { timers, settings } = this.#options;
    const { totalBlockId } = announced.inv;
    if (announced.attemptsLeft === 0 || announced.isReceived || this.#processed.has(bytesKey(totalBlockId))) return;
    const peer = this.#anyOwner(announced);
    if (peer === undefined) return;
    announced.attemptsLeft -= 1;
    announced.requestedFrom.add(peer);
    peer.send({ kind: "getMicroBlock", value: totalBlockId });
    timers.after(settings.waitResponseTimeoutMs, () => this.#request(announced));
  }

  #anyOwner({ owners, requestedFrom }: Announced): Peer | undefined {
    const { peers, random } = this.#options;
    const choices = [...owners].filter((peer) => peers.has(peer) && !requestedFrom.has(peer));
    const [draw] = random(1);
    return choices[(draw ?? 0) % Math.max(1, choices.length)];
  }

  /** Requests the snapshots from the sender, then from other owners. Never rejects. */
  async #settle(peer: Peer, announced: Announced, payload: Uint8Array, awaits: number): Promise<void> {
    const { peers } = this.#options;
    const requested = new Set<Peer>();
    const next = (): Peer | undefined => {
      const choices = [peer, ...announced.owners].filter((owner) => peers.has(owner) && !requested.has(owner));
      const [choice] = requested.size < ATTEMPTS ? choices : [];
      if (choice !== undefined) requested.add(choice);
      return choice;
    };
    const waiting = { id: announced.inv.totalBlockId, sizeBytes: payload.length, awaits };
    const use = (sent: SentSnapshots) => this.#apply(peer, announced, payload, sent);
    if (!(await this.snapshotRequests.settle(waiting, next, use))) announced.isReceived = false;
  }

  /**
   * Never rejects.
   * @returns false: the micro-block may be valid with other snapshots
   */
  async #apply(peer: Peer, announced: Announced, payload: Uint8Array, sent?: SentSnapshots): Promise<boolean> {
    try {
      const result = await pollUntilDone(() => this.#options.chain.applyMicroBlock(payload, sent?.record));
      if (result.kind === "refused" && result.isOfSnapshots === true) {
        sent?.from.blacklist(refusalOf(announced, result.reason));
        return false;
      }
      this.#onResult(peer, announced, payload, result);
    } catch (error) {
      announced.isReceived = false;
      this.#options.errorLog.add("the chain returned no result for a micro-block", error);
    }
    return true;
  }

  #onResult(peer: Peer, announced: Announced, payload: Uint8Array, result: ValidationResult): void {
    const { microBlockCache, peers, tip } = this.#options;
    const { inv, bytes, owners } = announced;
    const key = bytesKey(inv.totalBlockId);
    switch (result.kind) {
      case "applied":
        this.#processed.set(key, true);
        microBlockCache.add(inv.totalBlockId, payload);
        peers.broadcast(payloadFrame("microBlockInv", bytes), owners);
        tip.updateIfHeavier(result.tip);
        return;
      case "known":
        this.#processed.set(key, true);
        microBlockCache.add(inv.totalBlockId, payload);
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

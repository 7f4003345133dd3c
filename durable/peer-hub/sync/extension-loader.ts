/**
 * Download of the blocks that a heavier chain has and ours lacks: ids first, then blocks, which go to the chain in
 * chunks while others still arrive. The ids after them are requested while the chain is at work.
 * @source Waves: network/RxExtensionLoader.scala, state/appender/ExtensionAppender.scala
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, concatBytes } from "../../../src/crypto/bytes.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import type { ChainForPeers, ValidationResult } from "../../../src/rpc/chain-for-peers.ts";
import { encodeFlags } from "../../../src/rules/blocks/verified-signatures.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { ErrorLog } from "../error-log.ts";
import type { Peer } from "../peer.ts";
import { type BlockCheckOptions, checkBlock } from "./block-check.ts";
import { BlockIdsRequest, type PendingBlockIds } from "./block-ids-request.ts";
import { Download, MOST_BYTES } from "./download.ts";
import { type CompleteBlock, Extension, type ExtensionChunk } from "./extension.ts";
import { idsText, shortId } from "./id-text.ts";
import type { InvalidBlocks } from "./invalid-blocks.ts";
import type { KnownTip } from "./known-tip.ts";
import { PeerRateLimiter } from "./peer-rate-limiter.ts";
import { pollUntilDone } from "./poll-until-done.ts";
import type { ScoreObserver, SyncTarget } from "./score-observer.ts";
import { sentSnapshots } from "./sent-snapshots.ts";

/** Size of a chunk for one call to the chain. */
const CHUNK_BYTES = 2 * 2 ** 20;
/** A smaller chunk on the tip is handed over after this time. */
const HAND_OVER_MS = 5_000;
/** Delay after an unreachable chain. */
const RETRY_MS = 1_000;
/** A peer with this number of scores without blocks within the time is suspended. */
const EMPTY_SCORES = { limit: 4, perMs: 10 * 60_000 } as const;

export interface ExtensionLoaderOptions extends BlockCheckOptions {
  readonly errorLog: ErrorLog;
  readonly settings: SynchronizationSettings;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly scores: ScoreObserver;
  readonly tip: KnownTip;
  readonly invalidBlocks: InvalidBlocks;
  /** Prefix that all extensions of this process share, and that differs from the next process's. */
  readonly namePrefix: string;
}

export class ExtensionLoader {
  readonly #options: ExtensionLoaderOptions;
  readonly #download: Download;
  readonly #emptyScores: PeerRateLimiter;
  readonly #idsRequest: BlockIdsRequest;
  /** Extension that goes to the chain, and the one after it. The last one may be incomplete. */
  #extensions: Extension[] = [];
  /** Last block that a peer named and did not send, so that it was given up. */
  readonly #unsent = new WeakMap<Peer, BytesKey>();
  /** Extension after which the peer reported no further block ids. */
  #endsWith: Extension | undefined;
  #bytesInTransit = 0;
  #isHandingOver = false;
  #names = 0;
  #retry: Cancel | undefined;
  #due: Cancel | undefined;

  constructor(options: ExtensionLoaderOptions) {
    this.#options = options;
    const { timers, scores, settings } = options;
    this.#emptyScores = new PeerRateLimiter({ ...EMPTY_SCORES, nowMs: () => timers.nowMs() });
    this.#idsRequest = new BlockIdsRequest({
      timers,
      timeoutMs: settings.synchronizationTimeoutMs,
      isSlow: (peer) => scores.forget(peer, settings.synchronizationTimeoutMs),
      isSilent: (from) => {
        if (!this.#isReached(from)) this.#blacklist(from.peer, "Timeout loading extension");
      },
    });
    this.#download = new Download({
      timers,
      peersWith: (score) => scores.peersWith(score),
      peersAhead: () => scores.peersAhead(),
      isChainBusy: () => this.#isHandingOver,
      bytesInTransit: () => this.#bytesInTransit + this.#bufferedBytesOf(this.#extensions.slice(0, -1)),
      stallMs: settings.synchronizationTimeoutMs,
      stalled: (extension) => this.#stalled(extension),
      isDeprioritized: (peer) => scores.isDeprioritized(peer),
      isAnotherAhead: (peer) => scores.isAnotherAhead(peer),
      overdue: (extension) => this.#overdue(extension),
      hasMoved: (extension) => this.#hasMoved(extension),
      hasGrown: (extension) => this.#hasGrown(extension),
    });
  }

  /** Number of blocks whose ids are known and that have not arrived. */
  get missing(): number {
    return this.#extensions.reduce((sum, { missing }) => sum + missing, 0);
  }

  get isRequestingIds(): boolean {
    return this.#idsRequest.current?.known !== undefined;
  }

  /** Whether the chain is at work on blocks. */
  get isHandingOver(): boolean {
    return this.#isHandingOver;
  }

  /** Bytes of blocks that have arrived and are not applied yet. */
  get bufferedBytes(): number {
    return this.#bytesInTransit + this.#bufferedBytesOf(this.#extensions);
  }

  /** The best peer may have changed. */
  bestChanged(): void {
    const best = this.#options.scores.best();
    if (best === undefined) this.#idsRequest.forget();
    this.#next();
  }

  /** Handles block ids from a peer. */
  receivedIds(peer: Peer, ids: readonly BlockId[]): void {
    const request = this.#idsRequest.matchResponse(peer, ids);
    // A late response is used as long as nothing else has been started.
    const isCurrent = this.#extensions.length === 0 || this.#extensions.at(-1) === request?.continuationOf;
    if (request?.known === undefined || !isCurrent) return;
    const { known, of, longer } = request;
    const { scores, invalidBlocks } = this.#options;
    if (ids.length === 0 && request.continuationOf === undefined && longer === undefined) {
      this.#blacklist(peer, "Peer did not return any signatures and is likely on a fork");
      return;
    }
    for (const id of ids) {
      const reason = invalidBlocks.findReason(id);
      if (reason === undefined) continue;
      this.#blacklist(peer, `Signatures contain invalid block(s): ${encodeBase58(id)}, ${reason}`);
      return;
    }
    const knownKeys = new Set(known.map(bytesKey));
    const firstUnknown = ids.findIndex((id) => !knownKeys.has(bytesKey(id)));
    const unknown =
      firstUnknown === -1 ? [] : [...new Map(ids.slice(firstUnknown).map((id) => [bytesKey(id), id])).values()];
    if (unknown.length > 0) {
      this.#names += 1;
      const name = `${this.#options.namePrefix}${this.#names}`;
      const isBehind = request.continuationOf !== undefined;
      const extension =
        longer?.longer(name, unknown) ??
        new Extension({ name, from: of, ids: unknown, known, isContinuation: isBehind });
      this.#extensions.push(extension);
      this.#download.begin(extension);
    } else if (request.continuationOf === undefined) {
      void this.#recheckScore(of);
    } else {
      // Whether there are blocks for the score shows once the chain has applied the earlier ones.
      scores.confirm(peer);
      this.#endsWith = this.#extensions.at(-1);
    }
  }

  /** Whether the block was requested from the peer and has not arrived. */
  awaits(peer: Peer, id: BlockId): boolean {
    return this.#extensions.some((extension) => extension.findSlot(id, peer)?.isHere === false);
  }

  /** @returns whether the block was requested from the peer */
  receivedBlock(peer: Peer, block: Block): boolean {
    for (const extension of this.#extensions) {
      const slot = extension.findSlot(block.id, peer);
      if (slot === undefined) continue;
      if (slot.isHere) this.#download.noteSent(peer);
      else this.#addBlock(extension, slot.index, peer, block);
      return true;
    }
    return false;
  }

  expectsSnapshots(peer: Peer): boolean {
    return this.#options.isLight && this.#extensions.some((extension) => extension.inFlightOf(peer) > 0);
  }

  /** @returns whether the snapshots were requested from the peer */
  receivedSnapshots(peer: Peer, sent: BlockSnapshot): boolean {
    for (const extension of this.#extensions) {
      const slot = extension.findSnapshotSlot(sent.blockId, peer);
      if (slot === undefined) continue;
      const snapshots = sentSnapshots(peer, sent, slot.awaits);
      if (snapshots !== undefined) {
        extension.addSnapshots(slot.index, snapshots);
        this.#received(extension, peer, snapshots.record?.length ?? 0);
      }
      return true;
    }
    return false;
  }

  closed(peer: Peer): void {
    this.#idsRequest.closed(peer);
    if (this.#download.closed(peer)) this.#giveUpLast();
    this.#next();
  }

  #bufferedBytesOf(extensions: readonly Extension[]): number {
    return extensions.reduce((sum, { bufferedBytes }) => sum + bufferedBytes, 0);
  }

  /** Requests ids, if a peer is ahead and nothing in progress has to end first. */
  #next(): void {
    if (this.#idsRequest.current !== undefined || this.#retry !== undefined) return;
    const [first, second] = this.#extensions;
    if (second !== undefined || first?.isComplete === false) return;
    if (first !== undefined && first === this.#endsWith) return;
    const best = this.#options.scores.best();
    // Only the origin of blocks that the chain has not applied can know the ids after them.
    if (best === undefined || (first !== undefined && first.origin !== best.peer)) return;
    const request = this.#idsRequest.begin(best, { continuationOf: first });
    if (first !== undefined) this.#idsRequest.send(request, first.ids.toReversed());
    else void this.#requestIdsAfterChain(request);
  }

  async #requestIdsAfterChain(request: PendingBlockIds): Promise<void> {
    const { chain, settings } = this.#options;
    try {
      const ids = (await chain.lastBlockIds(settings.maxRollback)) as BlockId[];
      if (this.#idsRequest.current === request) this.#idsRequest.send(request, ids);
    } catch (error) {
      this.#options.errorLog.add("the chain did not return its block ids", error);
      if (this.#idsRequest.current === request) this.#idsRequest.forget();
      this.#retryLater();
    }
  }

  #addBlock(extension: Extension, index: number, peer: Peer, block: Block): void {
    // Before version 5 only the signature proves that the block matches its id.
    const checked = checkBlock(block, this.#options);
    if (typeof checked === "string") {
      // The origin of the id is not to blame: the block is requested from another peer.
      this.#blacklist(peer, `Error appending extension ${idsText(extension.ids)}: ${checked}`);
      return;
    }
    if (!extension.follows(index, block.header.reference)) {
      if (index === 0 && extension.isContinuation) {
        this.#hasChangedTip();
        return;
      }
      const notFollowing = `Block ${encodeBase58(block.id)} does not follow the one before it`;
      this.#refused(extension, index === 0 ? "Fork contains no common parent" : notFollowing);
      return;
    }
    extension.addBlock(index, checked);
    if (checked.awaits !== undefined) peer.send(extension.request(index, peer));
    this.#received(extension, peer, checked.record.length);
  }

  #received(extension: Extension, peer: Peer, sizeBytes: number): void {
    while (this.bufferedBytes > MOST_BYTES && extension.dropFarthest());
    this.#download.received(peer, sizeBytes);
    this.#options.scores.confirm(peer);
    if (extension.isComplete) this.#download.end();
    this.#beginHandOver();
    this.#download.requestMore();
    this.#next();
  }

  #beginHandOver(isDue = false): void {
    this.#handOver(isDue).catch((error: unknown) =>
      this.#options.errorLog.add("blocks were not handed to the chain", error),
    );
  }

  /**
   * Hands the buffered blocks of the first extension to the chain, a chunk at a time.
   * @param isDue the blocks have waited for more long enough
   */
  async #handOver(isDue: boolean): Promise<void> {
    if (this.#isHandingOver) return;
    this.#isHandingOver = true;
    try {
      for (let extension = this.#extensions[0]; extension !== undefined; extension = this.#extensions[0]) {
        const chunk = extension.takeChunk(CHUNK_BYTES, isDue);
        if (chunk === undefined) {
          if (extension.hasChunkOnTip) this.#handOverSoon();
          break;
        }
        const result = await this.#apply(chunk);
        const isCurrentExtension = this.#extensions[0] === extension;
        if (isCurrentExtension) await this.#onResult(extension, result);
        else if (result !== "more" && result?.kind === "applied") this.#options.tip.updateIfHeavier(result.tip);
        this.#download.requestMore();
      }
    } finally {
      this.#isHandingOver = false;
    }
    this.#next();
  }

  #handOverSoon(): void {
    this.#due ??= this.#options.timers.after(HAND_OVER_MS, () => {
      this.#due = undefined;
      this.#beginHandOver(true);
    });
  }

  /** @returns undefined: the chain was unreachable */
  async #apply({ name, blocks, isLast }: ExtensionChunk): Promise<ValidationResult | "more" | undefined> {
    const records = concatBytes(...blocks.map(({ record }) => record));
    const verified = encodeFlags(blocks.flatMap(({ flags }) => flags));
    const snapshots = snapshotsOf(blocks);
    this.#bytesInTransit = records.length + (snapshots?.length ?? 0);
    try {
      const chunk = { blocks: records, verified, name, isLast, ...(snapshots && { snapshots }) };
      return await pollUntilDone(() => this.#options.chain.applyExtension(chunk));
    } catch (error) {
      this.#options.errorLog.add("the chain returned no result for blocks", error);
      return undefined;
    } finally {
      this.#bytesInTransit = 0;
    }
  }

  async #onResult(extension: Extension, result: ValidationResult | "more" | undefined): Promise<void> {
    const { tip, scores, invalidBlocks } = this.#options;
    if (result === "more") return;
    if (result === undefined) {
      this.#abandon(extension);
      this.#retryLater();
      return;
    }
    switch (result.kind) {
      case "applied":
        this.#download.progressed();
        if (extension.isHandedOver) this.#extensions.shift();
        this.#emptyScores.forget(extension.origin);
        scores.confirm(extension.origin);
        tip.updateIfHeavier(result.tip);
        return;
      case "known":
        if (!extension.isHandedOver) return;
        this.#extensions.shift();
        if (this.#extensions.length === 0) await this.#recheckScore(extension.from);
        return;
      case "refused":
        if (result.isOfSnapshots === true) {
          this.#refusedSnapshots(extension, result);
        } else if (result.isInvalid) {
          if (result.blockId !== undefined) invalidBlocks.add(result.blockId, result.reason);
          this.#refused(extension, result.reason);
        } else {
          this.#abandon(extension);
          if (result.isLighter !== true || !this.#lengthen(extension)) await this.#recheckScore(extension.from);
        }
    }
  }

  /**
   * The maximum number of blocks of one list may weigh less than those they would replace, and more with the following
   * ones. The reference accepts blocks for the advertised score; here the following ids are requested, once.
   * @returns whether they are
   */
  #lengthen(extension: Extension): boolean {
    const { settings, scores } = this.#options;
    const { ids, from, origin } = extension;
    const isWhole = ids.length !== settings.maxRollback;
    if (isWhole || this.#idsRequest.current !== undefined || !scores.isLast(origin, from.score)) return false;
    this.#idsRequest.send(this.#idsRequest.begin(from, { longer: extension }), ids.toReversed());
    return true;
  }

  /** The peer had no more blocks. Its score is ignored for a while if it is still higher than ours. */
  async #recheckScore(from: SyncTarget): Promise<void> {
    const { chain, tip, scores } = this.#options;
    try {
      tip.update(await chain.chainTip());
    } catch (error) {
      this.#options.errorLog.add("the chain did not return its tip", error);
      this.#retryLater();
      return;
    }
    if (this.#isReached(from)) return;
    if (this.#emptyScores.isOver(from.peer)) from.peer.suspend();
    scores.forget(from.peer);
  }

  /** Whether our chain has reached the score. */
  #isReached({ score }: SyncTarget): boolean {
    const ours = this.#options.tip.current?.score;
    return ours !== undefined && ours >= score;
  }

  /** Blacklists the origin of an extension that is no valid chain. */
  #refused(extension: Extension, reason: string): void {
    this.#abandon(extension);
    this.#blacklist(extension.origin, `Error appending extension ${idsText(extension.ids)}: ${reason}`);
  }

  /**
   * Blacklists the sender of the snapshots. The block itself may be valid: it is requested again from the best peer
   * then.
   */
  #refusedSnapshots(extension: Extension, { blockId, reason }: Extract<ValidationResult, { kind: "refused" }>): void {
    this.#abandon(extension);
    const from = blockId && extension.snapshotsFrom(blockId);
    this.#blacklist(from ?? extension.origin, `Error appending extension ${idsText(extension.ids)}: ${reason}`);
  }

  #stalled(extension: Extension): void {
    const { ids, missing, received, origin } = extension;
    this.#giveUpLast();
    const missingText = missing === 1 ? `one=${shortId(ids.at(-1) as BlockId)}` : `total=${missing}`;
    const orSnapshots = this.#options.isLight ? " or snapshots" : "";
    const reason = `Timeout loading one of requested blocks${orSnapshots}, non-received blocks: ${missingText}`;
    this.#blacklist(origin, received === 0 ? "Timeout loading first requested block" : reason);
  }

  /** The blocks may be invented, so their origin is used again only when no other peer is ahead. */
  #overdue(extension: Extension): void {
    this.#abandon(extension);
    this.#options.scores.deprioritize(extension.origin);
  }

  #blacklist(peer: Peer, reason: string): void {
    peer.blacklist(reason);
    this.#options.scores.forget(peer);
  }

  /** A peer that has switched to another branch may lack the blocks: its ids are requested again. */
  #hasMoved({ from: { peer: origin, score } }: Extension): boolean {
    if (this.#options.scores.isLast(origin, score)) return false;
    this.#giveUpLast();
    if (this.#emptyScores.isOver(origin)) origin.suspend();
    this.#next();
    return true;
  }

  /**
   * The last named block is the peer's tip, which its next micro-block replaces, and some nodes no longer know the
   * former id. So its ids are requested once more; if it names the same block again, it has to send it.
   */
  #hasGrown(extension: Extension): boolean {
    const { origin, ids, isLastMissing } = extension;
    const last = ids.at(-1);
    if (!isLastMissing || last === undefined || this.#unsent.get(origin) === bytesKey(last)) return false;
    this.#unsent.set(origin, bytesKey(last));
    this.#download.end();
    // Without a block to hand over nothing would end the extension.
    if (extension.bufferedBytes === 0) this.#giveUpLast();
    else {
      extension.dropLast();
      this.#beginHandOver();
    }
    if (this.#emptyScores.isOver(origin)) origin.suspend();
    this.#next();
    return true;
  }

  /**
   * The last named block was the peer's tip and had been replaced when it named these. The ids of its current chain are
   * requested once the chain has applied the earlier blocks.
   */
  #hasChangedTip(): void {
    this.#giveUpLast();
    this.#endsWith = this.#extensions.at(-1);
    this.#next();
  }

  /** Removes the incomplete extension. */
  #giveUpLast(): void {
    this.#download.end();
    if (this.#extensions.at(-1)?.isComplete === false) this.#extensions.pop();
  }

  /** Removes the extension and the one on top of it. */
  #abandon(extension: Extension): void {
    const index = this.#extensions.indexOf(extension);
    if (index === -1) return;
    if (this.#extensions.at(-1)?.isComplete === false) this.#download.end();
    this.#extensions = this.#extensions.slice(0, index);
    if (this.#idsRequest.current?.continuationOf !== undefined) this.#idsRequest.forget();
  }

  #retryLater(): void {
    this.#retry ??= this.#options.timers.after(RETRY_MS, () => {
      this.#retry = undefined;
      this.#next();
    });
  }
}

/** Record for each block; undefined if none has snapshots. */
function snapshotsOf(blocks: readonly CompleteBlock[]): Uint8Array | undefined {
  if (blocks.every(({ snapshots }) => snapshots === undefined)) return undefined;
  return concatBytes(...blocks.map(({ snapshots = new Uint8Array(0) }) => encodeBlockRecord(snapshots)));
}

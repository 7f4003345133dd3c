/**
 * Brings the blocks that a heavier chain has and ours has not: ids, then blocks, which go to the chain in parts while others
 * still come; the ids behind them are asked for while the chain is at work.
 * @source Waves: network/RxExtensionLoader.scala, state/appender/ExtensionAppender.scala
 */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, concatBytes } from "../../../src/crypto/bytes.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import { encodeFlags } from "../../../src/rules/blocks/verified-signatures.ts";
import type { ChainForPeers, Judgement } from "../chain-for-peers.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { FaultLog } from "../fault-log.ts";
import type { Peer } from "../peer.ts";
import { type BlockCheckFacts, checkBlock } from "./block-check.ts";
import { Download, MOST_BYTES } from "./download.ts";
import { Extension, type ExtensionPart, type WholeBlock } from "./extension.ts";
import { finished } from "./finished.ts";
import { idsText, shortId } from "./id-text.ts";
import { type AskedIds, IdsQuestion } from "./ids-question.ts";
import type { InvalidBlocks } from "./invalid-blocks.ts";
import type { KnownStanding } from "./known-standing.ts";
import { PeerRates } from "./peer-rates.ts";
import type { ScoreObserver, SyncWith } from "./score-observer.ts";
import { sentSnapshots } from "./sent-snapshots.ts";

/** Goes to the chain in one call. */
const PART_BYTES = 2 * 2 ** 20;
/** Less than that goes there once it has waited so long, if it stands on the tip. */
const HAND_OVER_MS = 5_000;
/** After the chain was not to be reached. */
const RETRY_MS = 1_000;
/** A peer behind whose scores there were no blocks so often within this time is suspended. */
const EMPTY_SCORES = { limit: 4, perMs: 10 * 60_000 } as const;

export interface ExtensionLoaderFacts extends BlockCheckFacts {
  readonly faults: FaultLog;
  readonly settings: SynchronizationSettings;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly scores: ScoreObserver;
  readonly standing: KnownStanding;
  readonly invalidBlocks: InvalidBlocks;
  /** The same for all extensions of this process, and another one in the next. */
  readonly namePrefix: string;
}

export class ExtensionLoader {
  readonly #facts: ExtensionLoaderFacts;
  readonly #download: Download;
  readonly #emptyScores: PeerRates;
  readonly #question: IdsQuestion;
  /** The one that goes to the chain, and the one behind it. The last of them may be incomplete. */
  #extensions: Extension[] = [];
  /** The last block that a peer has named and not sent, and that was given up. */
  readonly #unsent = new WeakMap<Peer, BytesKey>();
  /** Nothing was behind it when it was asked for that. */
  #endsWith: Extension | undefined;
  #bytesOnTheWay = 0;
  #isHandingOver = false;
  #names = 0;
  #retry: Cancel | undefined;
  #due: Cancel | undefined;

  constructor(facts: ExtensionLoaderFacts) {
    this.#facts = facts;
    const { timers, scores, settings } = facts;
    this.#emptyScores = new PeerRates({ ...EMPTY_SCORES, nowMs: () => timers.nowMs() });
    this.#question = new IdsQuestion({
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
      bytesOnTheWay: () => this.#bytesOnTheWay + this.#heldBytes(this.#extensions.slice(0, -1)),
      stallMs: settings.synchronizationTimeoutMs,
      stalled: (extension) => this.#stalled(extension),
      isSetBack: (peer) => scores.isSetBack(peer),
      isAnotherAhead: (peer) => scores.isAnotherAhead(peer),
      overdue: (extension) => this.#overdue(extension),
      hasMoved: (extension) => this.#hasMoved(extension),
      hasGrown: (extension) => this.#hasGrown(extension),
    });
  }

  /** Blocks whose ids are known and that are not here yet. */
  get missing(): number {
    return this.#extensions.reduce((sum, { missing }) => sum + missing, 0);
  }

  get asksForIds(): boolean {
    return this.#question.asked?.known !== undefined;
  }

  /** The chain is at work on blocks. */
  get isHandingOver(): boolean {
    return this.#isHandingOver;
  }

  /** Bytes of blocks that are here, and not with the chain. */
  get heldBytes(): number {
    return this.#bytesOnTheWay + this.#heldBytes(this.#extensions);
  }

  /** The best peer may be another one. */
  bestChanged(): void {
    const best = this.#facts.scores.best();
    if (best === undefined) this.#question.forget();
    this.#next();
  }

  /** Ids that a peer has sent. */
  receivedIds(peer: Peer, ids: readonly BlockId[]): void {
    const asked = this.#question.answeredBy(peer, ids);
    // An answer that comes late is one as long as nothing else has begun.
    const isWanted = this.#extensions.length === 0 || this.#extensions.at(-1) === asked?.behind;
    if (asked?.known === undefined || !isWanted) return;
    const { known, of, longer } = asked;
    const { scores, invalidBlocks } = this.#facts;
    if (ids.length === 0 && asked.behind === undefined && longer === undefined) {
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
      const name = `${this.#facts.namePrefix}${this.#names}`;
      const isBehind = asked.behind !== undefined;
      const extension =
        longer?.longer(name, unknown) ?? new Extension({ name, from: of, ids: unknown, known, isBehind });
      this.#extensions.push(extension);
      this.#download.begin(extension);
    } else if (asked.behind === undefined) {
      void this.#judgeScore(of);
    } else {
      // What stands behind the score shows once the chain has what came before.
      scores.confirm(peer);
      this.#endsWith = this.#extensions.at(-1);
    }
  }

  /** Whether the peer was asked for this block, which has not come. */
  awaits(peer: Peer, id: BlockId): boolean {
    return this.#extensions.some((extension) => extension.placeOf(id, peer)?.isHere === false);
  }

  /** @returns whether the peer was asked for this block */
  receivedBlock(peer: Peer, block: Block): boolean {
    for (const extension of this.#extensions) {
      const place = extension.placeOf(block.id, peer);
      if (place === undefined) continue;
      if (place.isHere) this.#download.heard(peer);
      else this.#take(extension, place.index, peer, block);
      return true;
    }
    return false;
  }

  expectsSnapshots(peer: Peer): boolean {
    return this.#facts.isLight && this.#extensions.some((extension) => extension.inFlightOf(peer) > 0);
  }

  /** @returns whether the peer was asked for these snapshots */
  receivedSnapshots(peer: Peer, sent: BlockSnapshot): boolean {
    for (const extension of this.#extensions) {
      const place = extension.snapshotPlaceOf(sent.blockId, peer);
      if (place === undefined) continue;
      const snapshots = sentSnapshots(peer, sent, place.awaits);
      if (snapshots !== undefined) {
        extension.holdSnapshots(place.index, snapshots);
        this.#received(extension, peer, snapshots.record?.length ?? 0);
      }
      return true;
    }
    return false;
  }

  closed(peer: Peer): void {
    this.#question.closed(peer);
    if (this.#download.closed(peer)) this.#giveUpLast();
    this.#next();
  }

  #heldBytes(extensions: readonly Extension[]): number {
    return extensions.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  /** Asks for ids, if there is somebody to ask, and nothing is under way that has to end first. */
  #next(): void {
    if (this.#question.asked !== undefined || this.#retry !== undefined) return;
    const [first, second] = this.#extensions;
    if (second !== undefined || first?.isComplete === false) return;
    if (first !== undefined && first === this.#endsWith) return;
    const best = this.#facts.scores.best();
    // What stands behind blocks that the chain has not taken, only who has named them can know.
    if (best === undefined || (first !== undefined && first.origin !== best.peer)) return;
    const asked = this.#question.begin(best, { behind: first });
    if (first !== undefined) this.#question.send(asked, first.ids.toReversed());
    else void this.#askBehindChain(asked);
  }

  async #askBehindChain(asked: AskedIds): Promise<void> {
    const { chain, settings } = this.#facts;
    try {
      const ids = (await chain.lastBlockIds(settings.maxRollback)) as BlockId[];
      if (this.#question.asked === asked) this.#question.send(asked, ids);
    } catch (error) {
      this.#facts.faults.add("the chain did not say which blocks it has", error);
      if (this.#question.asked === asked) this.#question.forget();
      this.#retryLater();
    }
  }

  #take(extension: Extension, index: number, peer: Peer, block: Block): void {
    // Before version 5 only the signature says that the block is the one of its id.
    const checked = checkBlock(block, this.#facts);
    if (typeof checked === "string") {
      // Whoever has named the block has done nothing wrong: it is asked of somebody else.
      this.#blacklist(peer, `Error appending extension ${idsText(extension.ids)}: ${checked}`);
      return;
    }
    if (!extension.follows(index, block.header.reference)) {
      if (index === 0 && extension.isBehind) {
        this.#hasChangedTip();
        return;
      }
      const unfit = `Block ${encodeBase58(block.id)} does not follow the one before it`;
      this.#refused(extension, index === 0 ? "Fork contains no common parent" : unfit);
      return;
    }
    extension.hold(index, checked);
    if (checked.awaits !== undefined) peer.send(extension.ask(index, peer));
    this.#received(extension, peer, checked.record.length);
  }

  #received(extension: Extension, peer: Peer, sizeBytes: number): void {
    while (this.heldBytes > MOST_BYTES && extension.dropFarthest());
    this.#download.received(peer, sizeBytes);
    this.#facts.scores.confirm(peer);
    if (extension.isComplete) this.#download.end();
    this.#beginHandOver();
    this.#download.askForMore();
    this.#next();
  }

  #beginHandOver(isDue = false): void {
    this.#handOver(isDue).catch((error: unknown) =>
      this.#facts.faults.add("blocks were not handed to the chain", error),
    );
  }

  /**
   * Gives the chain what there is of the first extension, a part at a time.
   * @param isDue it has waited for more
   */
  async #handOver(isDue: boolean): Promise<void> {
    if (this.#isHandingOver) return;
    this.#isHandingOver = true;
    try {
      for (let extension = this.#extensions[0]; extension !== undefined; extension = this.#extensions[0]) {
        const part = extension.takePart(PART_BYTES, isDue);
        if (part === undefined) {
          if (extension.hasPartOnTip) this.#handOverSoon();
          break;
        }
        const judgement = await this.#apply(part);
        const isAwaited = this.#extensions[0] === extension;
        if (isAwaited) await this.#judged(extension, judgement);
        else if (judgement !== "more" && judgement?.kind === "applied")
          this.#facts.standing.answered(judgement.standing);
        this.#download.askForMore();
      }
    } finally {
      this.#isHandingOver = false;
    }
    this.#next();
  }

  #handOverSoon(): void {
    this.#due ??= this.#facts.timers.after(HAND_OVER_MS, () => {
      this.#due = undefined;
      this.#beginHandOver(true);
    });
  }

  /** @returns undefined: the chain was not to be reached */
  async #apply({ name, blocks, isLast }: ExtensionPart): Promise<Judgement | "more" | undefined> {
    const records = concatBytes(...blocks.map(({ record }) => record));
    const verified = encodeFlags(blocks.flatMap(({ flags }) => flags));
    const snapshots = snapshotsOf(blocks);
    this.#bytesOnTheWay = records.length + (snapshots?.length ?? 0);
    try {
      const part = { blocks: records, verified, name, isLast, ...(snapshots && { snapshots }) };
      return await finished(() => this.#facts.chain.applyExtension(part));
    } catch (error) {
      this.#facts.faults.add("the chain did not say what became of blocks", error);
      return undefined;
    } finally {
      this.#bytesOnTheWay = 0;
    }
  }

  async #judged(extension: Extension, judgement: Judgement | "more" | undefined): Promise<void> {
    const { standing, scores, invalidBlocks } = this.#facts;
    if (judgement === "more") return;
    if (judgement === undefined) {
      this.#abandon(extension);
      this.#retryLater();
      return;
    }
    switch (judgement.kind) {
      case "applied":
        this.#download.progressed();
        if (extension.isTaken) this.#extensions.shift();
        this.#emptyScores.forget(extension.origin);
        scores.confirm(extension.origin);
        standing.answered(judgement.standing);
        return;
      case "known":
        if (!extension.isTaken) return;
        this.#extensions.shift();
        if (this.#extensions.length === 0) await this.#judgeScore(extension.from);
        return;
      case "refused":
        if (judgement.isOfSnapshots === true) {
          this.#refusedSnapshots(extension, judgement);
        } else if (judgement.isInvalid) {
          if (judgement.blockId !== undefined) invalidBlocks.add(judgement.blockId, judgement.reason);
          this.#refused(extension, judgement.reason);
        } else {
          this.#abandon(extension);
          if (judgement.isLighter !== true || !this.#lengthen(extension)) await this.#judgeScore(extension.from);
        }
    }
  }

  /**
   * So many blocks as a peer names at once may weigh less than what they would replace, and more with those behind them. Where the
   * reference takes blocks for what the score says, these are asked for, once.
   * @returns whether they are
   */
  #lengthen(extension: Extension): boolean {
    const { settings, scores } = this.#facts;
    const { ids, from, origin } = extension;
    const isWhole = ids.length !== settings.maxRollback;
    if (isWhole || this.#question.asked !== undefined || !scores.isLast(origin, from.score)) return false;
    this.#question.send(this.#question.begin(from, { longer: extension }), ids.toReversed());
    return true;
  }

  /** The peer had nothing more. Its score does not count for a while if it has said that its chain weighs more than ours now. */
  async #judgeScore(from: SyncWith): Promise<void> {
    const { chain, standing, scores } = this.#facts;
    try {
      standing.told(await chain.standing());
    } catch (error) {
      this.#facts.faults.add("the chain did not say where it stands", error);
      this.#retryLater();
      return;
    }
    if (this.#isReached(from)) return;
    if (this.#emptyScores.isOver(from.peer)) from.peer.suspend();
    scores.forget(from.peer);
  }

  /** Whether our chain weighs as much by now. */
  #isReached({ score }: SyncWith): boolean {
    const ours = this.#facts.standing.current?.score;
    return ours !== undefined && ours >= score;
  }

  /** Who has named these blocks has named something that is no chain. */
  #refused(extension: Extension, reason: string): void {
    this.#abandon(extension);
    this.#blacklist(extension.origin, `Error appending extension ${idsText(extension.ids)}: ${reason}`);
  }

  /** The block may be what it should be: it is asked for again, of whoever is the best one then. */
  #refusedSnapshots(extension: Extension, { blockId, reason }: Extract<Judgement, { kind: "refused" }>): void {
    this.#abandon(extension);
    const from = blockId && extension.snapshotsFrom(blockId);
    this.#blacklist(from ?? extension.origin, `Error appending extension ${idsText(extension.ids)}: ${reason}`);
  }

  #stalled(extension: Extension): void {
    const { ids, missing, received, origin } = extension;
    this.#giveUpLast();
    const left = missing === 1 ? `one=${shortId(ids.at(-1) as BlockId)}` : `total=${missing}`;
    const orSnapshots = this.#facts.isLight ? " or snapshots" : "";
    const reason = `Timeout loading one of requested blocks${orSnapshots}, non-received blocks: ${left}`;
    this.#blacklist(origin, received === 0 ? "Timeout loading first requested block" : reason);
  }

  /** Who has named these blocks is asked again once nobody else is ahead: what has come of them may be made up. */
  #overdue(extension: Extension): void {
    this.#abandon(extension);
    this.#facts.scores.setBack(extension.origin);
  }

  #blacklist(peer: Peer, reason: string): void {
    peer.blacklist(reason);
    this.#facts.scores.forget(peer);
  }

  /** A peer that has changed to another branch meanwhile may not have the blocks any more: it is asked again what it has. */
  #hasMoved({ from: { peer: origin, score } }: Extension): boolean {
    if (this.#facts.scores.isLast(origin, score)) return false;
    this.#giveUpLast();
    if (this.#emptyScores.isOver(origin)) origin.suspend();
    this.#next();
    return true;
  }

  /**
   * The last block that a peer has named is its tip, and another one by its next micro-block: some know nothing of what it was
   * before. So it is asked once more which blocks it has; who then names the same one has to send it.
   */
  #hasGrown(extension: Extension): boolean {
    const { origin, ids, isLastMissing } = extension;
    const last = ids.at(-1);
    if (!isLastMissing || last === undefined || this.#unsent.get(origin) === bytesKey(last)) return false;
    this.#unsent.set(origin, bytesKey(last));
    this.#download.end();
    // Without any block to hand over nothing would tell that it has ended.
    if (extension.heldBytes === 0) this.#giveUpLast();
    else {
      extension.dropLast();
      this.#beginHandOver();
    }
    if (this.#emptyScores.isOver(origin)) origin.suspend();
    this.#next();
    return true;
  }

  /**
   * The last block that a peer has named first was its tip, and there was another one in its place when it named these. What it has
   * by then shows once the chain has what came before.
   */
  #hasChangedTip(): void {
    this.#giveUpLast();
    this.#endsWith = this.#extensions.at(-1);
    this.#next();
  }

  /** Forgets the extension that is incomplete. */
  #giveUpLast(): void {
    this.#download.end();
    if (this.#extensions.at(-1)?.isComplete === false) this.#extensions.pop();
  }

  /** Forgets the extension, and what stands on it. */
  #abandon(extension: Extension): void {
    const index = this.#extensions.indexOf(extension);
    if (index === -1) return;
    if (this.#extensions.at(-1)?.isComplete === false) this.#download.end();
    this.#extensions = this.#extensions.slice(0, index);
    if (this.#question.asked?.behind !== undefined) this.#question.forget();
  }

  #retryLater(): void {
    this.#retry ??= this.#facts.timers.after(RETRY_MS, () => {
      this.#retry = undefined;
      this.#next();
    });
  }
}

/** A record for each block; undefined where none has snapshots. */
function snapshotsOf(blocks: readonly WholeBlock[]): Uint8Array | undefined {
  if (blocks.every(({ snapshots }) => snapshots === undefined)) return undefined;
  return concatBytes(...blocks.map(({ snapshots = new Uint8Array(0) }) => encodeBlockRecord(snapshots)));
}

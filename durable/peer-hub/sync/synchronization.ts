/**
 * Messages between this node and its peers: dispatches messages to their handlers, and events of the chain to the
 * peers.
 */
import { encodeHex } from "../../../src/crypto/hex.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { SyncActivity, SyncProgress } from "../../../src/env.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { BlockId, SignedHeader } from "../../../src/protocol/blocks/block.ts";
import type { MessageContext, PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import { peerAddressText } from "../../../src/protocol/messages/peer-address-text.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import type { ChainEvents, ChainForPeers } from "../../../src/rpc/chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import { ErrorLog } from "../error-log.ts";
import type { Peer, PeerListener } from "../peer.ts";
import { StoppableTimers } from "../stoppable-timers.ts";
import { BlockRelay } from "./block-relay.ts";
import { ConnectedCount } from "./connected-count.ts";
import { EndorsementRelay } from "./endorsement-relay.ts";
import { ExtensionLoader } from "./extension-loader.ts";
import { HistoryReplier, isHistoryRequest } from "./history-replier.ts";
import { InvalidBlocks } from "./invalid-blocks.ts";
import { KnownTip } from "./known-tip.ts";
import { MicroBlockCache } from "./micro-block-cache.ts";
import { MicroBlockRelay } from "./micro-block-relay.ts";
import { OpenPeers } from "./open-peers.ts";
import { possessionRateLimiter } from "./possession-rate-limiter.ts";
import { ScoreBroadcaster } from "./score-broadcaster.ts";
import { ScoreObserver } from "./score-observer.ts";
import { SyncProgressEstimate } from "./sync-progress.ts";
import { TransactionRelay } from "./transaction-relay.ts";

/** Delay after an unreachable chain: at first, and at most. */
const RETRY_MS = { first: 1_000, longest: 60_000 } as const;
const NAME_BYTES = 8;

export interface SynchronizationOptions {
  readonly settings: SynchronizationSettings;
  readonly chainId: number;
  /** Light node: state snapshots are requested from peers. */
  readonly isLight: boolean;
  readonly timers: Timers;
  readonly random: RandomSource;
  readonly chain: ChainForPeers;
}

export class Synchronization implements PeerListener {
  readonly #timers: StoppableTimers;
  readonly #errorLog: ErrorLog;
  readonly #chain: ChainForPeers;
  readonly #peers = new OpenPeers();
  readonly #tip = new KnownTip();
  readonly #scores: ScoreObserver;
  readonly #scoreBroadcaster: ScoreBroadcaster;
  readonly #extensions: ExtensionLoader;
  readonly #blocks: BlockRelay;
  readonly #microBlocks: MicroBlockRelay;
  readonly #transactions: TransactionRelay;
  readonly #endorsements: EndorsementRelay;
  readonly #history: HistoryReplier;
  readonly #microBlockCache: MicroBlockCache;
  readonly #count: ConnectedCount;
  readonly #progress: SyncProgressEstimate;

  constructor({ settings, chainId, isLight, timers: givenTimers, random, chain }: SynchronizationOptions) {
    const timers = new StoppableTimers(givenTimers);
    const nowMs = (): number => timers.nowMs();
    const messages: MessageContext = { chainId, source: ownRecords };
    const peers = this.#peers;
    const tip = this.#tip;
    const microBlockCache = new MicroBlockCache(settings.historyReplier.maxMicroBlockCacheSize);
    const invalidBlocks = new InvalidBlocks(settings.invalidBlocksStorage, nowMs);
    const scores = new ScoreObserver({
      ttlMs: settings.scoreTtlMs,
      timers,
      changed: () => this.#extensions.bestChanged(),
    });
    const errorLog = new ErrorLog(nowMs);
    const blocks = { microBlockCache, invalidBlocks, messages, mayVerifyPossession: possessionRateLimiter(nowMs) };
    const common = { settings, chainId, isLight, chain, timers, random, peers, tip, ...blocks, errorLog, nowMs };
    this.#timers = timers;
    this.#errorLog = errorLog;
    this.#microBlockCache = microBlockCache;
    this.#chain = chain;
    this.#scores = scores;
    this.#extensions = new ExtensionLoader({ ...common, scores, namePrefix: `${encodeHex(random(NAME_BYTES))}-` });
    this.#blocks = new BlockRelay(common);
    this.#microBlocks = new MicroBlockRelay({ ...common, settings: settings.microBlockSynchronizer });
    this.#transactions = new TransactionRelay(common);
    this.#endorsements = new EndorsementRelay(common);
    this.#history = new HistoryReplier(common);
    this.#scoreBroadcaster = new ScoreBroadcaster(common);
    this.#count = new ConnectedCount({ ...common, renewed: (current) => tip.update(current) });
    this.#progress = new SyncProgressEstimate(tip);
    tip.listen({ changed: ({ score }) => scores.changedOurs(score) });
  }

  /** Fetches the tip and the voting round from the chain, and reports that there are no connections. */
  start(): void {
    this.#count.start();
    void this.#fetchTip();
    void this.#endorsements.start();
  }

  /** Stops all timers. */
  stop(): void {
    this.#timers.stop();
  }

  opened(peer: Peer): void {
    this.#peers.add(peer);
    this.#scoreBroadcaster.opened(peer);
    this.#count.changed();
  }

  received(peer: Peer, message: PeerMessage): void | false | Promise<void> {
    if (isHistoryRequest(message)) return this.#history.received(peer, message);
    switch (message.kind) {
      case "score":
        return this.#scores.received(peer, message.value);
      case "blockIds":
      case "signatures":
        return this.#extensions.receivedIds(peer, message.value as readonly Uint8Array[] as readonly BlockId[]);
      case "block":
      case "legacyBlock":
        return this.#extensions.receivedBlock(peer, message.value)
          ? undefined
          : this.#blocks.received(peer, message.value);
      case "microBlockInv":
        return this.#microBlocks.receivedInv(peer, message.value);
      case "microBlock":
      case "legacyMicroBlock":
        return this.#microBlocks.receivedMicroBlock(peer, message.value);
      case "blockSnapshot":
        void (
          this.#extensions.receivedSnapshots(peer, message.value) ||
          this.#blocks.snapshotRequests.received(peer, message.value)
        );
        return undefined;
      case "microBlockSnapshot":
        this.#microBlocks.snapshotRequests.received(peer, message.value);
        return undefined;
      case "transaction":
        return this.#transactions.received(peer, message.value);
      case "legacyTransaction":
        return this.#transactions.receivedLegacy(peer, message.value);
      case "endorsement":
        return this.#endorsements.received(peer, message.value);
      default:
        // The sessions handle messages about peers.
        return undefined;
    }
  }

  knowsBlock(peer: Peer, id: BlockId): boolean {
    return this.#blocks.isProcessed(id) && !this.#extensions.awaits(peer, id);
  }

  async acceptsHeader(peer: Peer, head: SignedHeader): Promise<boolean> {
    return this.#extensions.awaits(peer, head.id) || this.#blocks.acceptsHeader(peer, head);
  }

  expectsSnapshots(peer: Peer): boolean {
    const requests = [this.#blocks.snapshotRequests, this.#microBlocks.snapshotRequests];
    return this.#extensions.expectsSnapshots(peer) || requests.some((each) => each.isPending(peer));
  }

  closed(peer: Peer): void {
    this.#peers.delete(peer);
    this.#history.closed(peer);
    this.#transactions.closed(peer);
    this.#scores.closed(peer);
    this.#extensions.closed(peer);
    this.#blocks.snapshotRequests.closed(peer);
    this.#microBlocks.snapshotRequests.closed(peer);
    this.#count.changed();
  }

  /** Handles events of the chain. */
  onChainEvents({ tip, block, microBlock, transactions, voting }: ChainEvents): void {
    if (block !== undefined) this.#blocks.own(block);
    if (microBlock !== undefined) this.#microBlocks.own(microBlock);
    if (transactions !== undefined) this.#transactions.own(transactions);
    if (voting !== undefined) this.#endorsements.onRoundStart(voting);
    this.#tip.update(tip);
  }

  progress(): SyncProgress {
    const { current } = this.#tip;
    const connectedPeers = this.#peers.size;
    if (current === undefined) return { height: 0, blocksAhead: 0, connectedPeers };
    const best = this.#scores.best()?.score ?? current.score;
    const blocksAhead = this.#progress.blocksAhead(current, best, this.#extensions.missing, this.#timers.nowMs());
    return { height: current.height, blocksAhead, connectedPeers };
  }

  activity(): SyncActivity {
    const best = this.#scores.best();
    return {
      best: best && { address: peerAddressText(best.peer.remote), score: best.score },
      scores: this.#scores.known,
      isRequestingIds: this.#extensions.isRequestingIds,
      missingBlocks: this.#extensions.missing,
      isApplying: this.#extensions.isHandingOver,
      cachedBlocks: this.#history.cachedBlocks,
      cachedMicroBlocks: this.#microBlockCache.size,
      microBlocks: this.#microBlocks.counts,
    };
  }

  async #fetchTip(retryMs: number = RETRY_MS.first): Promise<void> {
    try {
      this.#tip.update(await this.#chain.chainTip());
    } catch (error) {
      this.#errorLog.add("the chain did not return its tip", error);
      this.#timers.after(retryMs, () => void this.#fetchTip(Math.min(2 * retryMs, RETRY_MS.longest)));
    }
  }
}

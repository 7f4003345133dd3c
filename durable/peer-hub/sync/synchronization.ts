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
import type { ChainForPeers, ChainNews } from "../../../src/rpc/chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import { FaultLog } from "../error-log.ts";
import type { Peer, PeerListener } from "../peer.ts";
import { StoppableTimers } from "../stoppable-timers.ts";
import { BlockRelay } from "./block-relay.ts";
import { ConnectedCount } from "./connected-count.ts";
import { EndorsementRelay } from "./endorsement-relay.ts";
import { ExtensionLoader } from "./extension-loader.ts";
import { HistoryReplier, isQuestion } from "./history-replier.ts";
import { InvalidBlocks } from "./invalid-blocks.ts";
import { KnownStanding } from "./known-tip.ts";
import { KeptMicroBlocks } from "./micro-block-cache.ts";
import { MicroBlockRelay } from "./micro-block-relay.ts";
import { OpenPeers } from "./open-peers.ts";
import { possessionBudget } from "./possession-rate-limiter.ts";
import { ScoreTelling } from "./score-broadcaster.ts";
import { ScoreObserver } from "./score-observer.ts";
import { SyncProgressEstimate } from "./sync-progress.ts";
import { TransactionRelay } from "./transaction-relay.ts";

/** Delay after an unreachable chain: at first, and at most. */
const RETRY_MS = { first: 1_000, longest: 60_000 } as const;
const NAME_BYTES = 8;

export interface SynchronizationFacts {
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
  readonly #faults: FaultLog;
  readonly #chain: ChainForPeers;
  readonly #peers = new OpenPeers();
  readonly #standing = new KnownStanding();
  readonly #scores: ScoreObserver;
  readonly #telling: ScoreTelling;
  readonly #extensions: ExtensionLoader;
  readonly #blocks: BlockRelay;
  readonly #microBlocks: MicroBlockRelay;
  readonly #transactions: TransactionRelay;
  readonly #endorsements: EndorsementRelay;
  readonly #history: HistoryReplier;
  readonly #kept: KeptMicroBlocks;
  readonly #count: ConnectedCount;
  readonly #progress: SyncProgressEstimate;

  constructor({ settings, chainId, isLight, timers: givenTimers, random, chain }: SynchronizationFacts) {
    const timers = new StoppableTimers(givenTimers);
    const nowMs = (): number => timers.nowMs();
    const messages: MessageContext = { chainId, source: ownRecords };
    const peers = this.#peers;
    const standing = this.#standing;
    const kept = new KeptMicroBlocks(settings.historyReplier.maxMicroBlockCacheSize);
    const invalidBlocks = new InvalidBlocks(settings.invalidBlocksStorage, nowMs);
    const scores = new ScoreObserver({
      ttlMs: settings.scoreTtlMs,
      timers,
      changed: () => this.#extensions.bestChanged(),
    });
    const faults = new FaultLog(nowMs);
    const blocks = { kept, invalidBlocks, messages, mayVerifyPossession: possessionBudget(nowMs) };
    const common = { settings, chainId, isLight, chain, timers, random, peers, standing, ...blocks, faults, nowMs };
    this.#timers = timers;
    this.#faults = faults;
    this.#kept = kept;
    this.#chain = chain;
    this.#scores = scores;
    this.#extensions = new ExtensionLoader({ ...common, scores, namePrefix: `${encodeHex(random(NAME_BYTES))}-` });
    this.#blocks = new BlockRelay(common);
    this.#microBlocks = new MicroBlockRelay({ ...common, settings: settings.microBlockSynchronizer });
    this.#transactions = new TransactionRelay(common);
    this.#endorsements = new EndorsementRelay(common);
    this.#history = new HistoryReplier(common);
    this.#telling = new ScoreTelling(common);
    this.#count = new ConnectedCount({ ...common, renewed: (current) => standing.told(current) });
    this.#progress = new SyncProgressEstimate(standing);
    standing.listen({ changed: ({ score }) => scores.changedOurs(score) });
  }

  /** Fetches the tip and the voting round from the chain, and reports that there are no connections. */
  start(): void {
    this.#count.start();
    void this.#askStanding();
    void this.#endorsements.start();
  }

  /** Stops all timers. */
  stop(): void {
    this.#timers.stop();
  }

  opened(peer: Peer): void {
    this.#peers.add(peer);
    this.#telling.opened(peer);
    this.#count.changed();
  }

  received(peer: Peer, message: PeerMessage): void | false | Promise<void> {
    if (isQuestion(message)) return this.#history.received(peer, message);
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
          this.#blocks.questions.received(peer, message.value)
        );
        return undefined;
      case "microBlockSnapshot":
        this.#microBlocks.questions.received(peer, message.value);
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

  async takesHead(peer: Peer, head: SignedHeader): Promise<boolean> {
    return this.#extensions.awaits(peer, head.id) || this.#blocks.takesHead(peer, head);
  }

  expectsSnapshots(peer: Peer): boolean {
    const requests = [this.#blocks.questions, this.#microBlocks.questions];
    return this.#extensions.expectsSnapshots(peer) || requests.some((each) => each.isAsked(peer));
  }

  closed(peer: Peer): void {
    this.#peers.delete(peer);
    this.#history.closed(peer);
    this.#transactions.closed(peer);
    this.#scores.closed(peer);
    this.#extensions.closed(peer);
    this.#blocks.questions.closed(peer);
    this.#microBlocks.questions.closed(peer);
    this.#count.changed();
  }

  /** Handles events of the chain. */
  told({ standing, block, microBlock, transactions, voting }: ChainNews): void {
    if (block !== undefined) this.#blocks.own(block);
    if (microBlock !== undefined) this.#microBlocks.own(microBlock);
    if (transactions !== undefined) this.#transactions.own(transactions);
    if (voting !== undefined) this.#endorsements.told(voting);
    this.#standing.told(standing);
  }

  progress(): SyncProgress {
    const { current } = this.#standing;
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
      asksForIds: this.#extensions.asksForIds,
      missingBlocks: this.#extensions.missing,
      isApplying: this.#extensions.isHandingOver,
      keptBlocks: this.#history.keptBlocks,
      keptMicroBlocks: this.#kept.size,
      microBlocks: this.#microBlocks.counts,
    };
  }

  async #askStanding(retryMs: number = RETRY_MS.first): Promise<void> {
    try {
      this.#standing.told(await this.#chain.standing());
    } catch (error) {
      this.#faults.add("the chain did not return its tip", error);
      this.#timers.after(retryMs, () => void this.#askStanding(Math.min(2 * retryMs, RETRY_MS.longest)));
    }
  }
}

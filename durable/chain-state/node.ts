/**
 * The node: store, chain, pool, miner, publisher and wallet, connected. Everything that differs between Cloudflare, a
 * test and a simulation is an option: clock, random bytes, storage, timers, read model. The same inputs make the same
 * chain.
 */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { encodeHex } from "../../src/crypto/hex.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { NodeRpc, NodeStatus } from "../../src/env.ts";
import type { ForkSource } from "../../src/network/fork-source.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { networksOf } from "../../src/network/subscriber.ts";
import { RefusedWork } from "../../src/platform/refused-work.ts";
import type { Block, MicroBlock } from "../../src/protocol/blocks/block.ts";
import { describeViolation } from "../../src/protocol/describe-violation.ts";
import type { OrderFill } from "../../src/protocol/snapshots/snapshot.ts";
import type { OrderId } from "../../src/protocol/transactions/order.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { ChainListener, ChainTip } from "../../src/rpc/chain-for-peers.ts";
import type { VotingRound } from "../../src/rules/finality/voting-round.ts";
import type { AuthorizationExemption } from "../../src/rules/state/authorization-exemption.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { log, logError } from "../log.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { SharedAppendContext } from "./chain/append-context.ts";
import type { Branch } from "./chain/branch.ts";
import type { RevertOptions } from "./chain/fork-choice.ts";
import { type ImportedBlocks, type ImportOptions, importBlocks } from "./chain/import-blocks.ts";
import type { AppendContext, StateOverride } from "./chain/liquid-chain.ts";
import { type Chain, openChain } from "./chain/open-chain.ts";
import { FINALIZED_HEIGHT } from "./chain/stored-chain.ts";
import { PartlyApplied, SliceSpent, type WorkSlice } from "./chain/work-slice.ts";
import { Endorser, type ReceivedEndorsement } from "./finality/endorser.ts";
import { admitAll } from "./fork/admission.ts";
import { Fork, type ForkOptions } from "./fork/fork.ts";
import { forkStartRows } from "./fork/fork-start.ts";
import { Challenger } from "./miner/challenger.ts";
import type { ForgedChallenge } from "./miner/forge-challenge.ts";
import { type BlockProduction, Miner, type MinerStep } from "./miner/miner.ts";
import { PeerNotifier } from "./peers/peer-notifier.ts";
import { PoolCalls } from "./pool/pool-calls.ts";
import { SqlPoolStorage } from "./pool/sql-pool-storage.ts";
import { type ParsedSubmission, UtxPool } from "./pool/utx-pool.ts";
import { type FinalBlockSink, FinalBlockWriter } from "./publish/final-block-writer.ts";
import { Publisher } from "./publish/publisher.ts";
import type { ReadModelSink } from "./publish/read-model-sink.ts";
import { UnpublishedTransactions } from "./publish/unpublished-transactions.ts";
import { openTables } from "./state/open-tables.ts";
import { StateStore } from "./state/state-store.ts";
import { Wallet } from "./wallet/wallet.ts";
import { WalletCalls } from "./wallet/wallet-calls.ts";
import { storedWallet } from "./wallet/wallet-storage.ts";

/** Pause between two slices of work, so that the node can respond in between, ms. */
const NEXT_SLICE_MS = 1;
/** Longest time between two wakes, ms: Cloudflare's alarms do not accept every date that a number can hold. */
const LONGEST_SLEEP_MS = 24 * 3_600_000;
/** Pause before a failed publication is retried, ms: after the first failure, and at most after repeated ones. */
const PUBLISH_RETRY_MS = { first: 1_000, longest: 60_000 } as const;
/** Time after which a publication is begun again if the object was evicted during it, ms. */
const PUBLISH_TIMEOUT_MS = 60_000;
/** Bytes of a random unique name. */
const DRAWN_BYTES = 8;

export interface NodeOptions {
  readonly settings: NetworkSettings;
  /** Seed of the wallet; undefined: the node has no accounts and makes no blocks. */
  readonly walletSeed: Uint8Array | undefined;
  readonly database: SqlDatabase;
  readonly readModel: ReadModelSink;
  /** Store of final blocks; undefined: only their first readers write them there. */
  readonly finalBlocks?: FinalBlockSink | undefined;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly random: RandomSource;
  /** Schedules a call of `work` at a time, ms. A later call replaces an earlier one. */
  readonly wakeAt: (timeMs: number) => Promise<void>;
  readonly connectedPeers: () => number;
  /** Listener for events that peers are notified of; undefined: P2P is disabled. */
  readonly peers?: ChainListener | undefined;
  /** Source of a fork, which continues a live network's chain, and the function that fetches from its node. */
  readonly fork?: { readonly source: ForkSource; readonly fetch: ForkOptions["fetch"] } | undefined;
  /** Accounts of a dev chain whose transactions need no authorization. */
  readonly exemption?: AuthorizationExemption | undefined;
}

export class Node implements NodeRpc {
  readonly chain: Chain;
  readonly pool: UtxPool;
  readonly miner: Miner;
  readonly wallet: Wallet | undefined;
  readonly store: StateStore;
  /** Worker's requests to the pool. */
  readonly poolCalls: PoolCalls;
  /** Worker's requests to the wallet. */
  readonly walletCalls: WalletCalls;
  /** Undefined: the chain is no fork and has all of its state. */
  readonly fork: Fork | undefined;
  readonly #options: NodeOptions;
  readonly #publisher: Publisher;
  readonly #challenger: Challenger;
  readonly #endorser: Endorser;
  readonly #finalBlocks: FinalBlockWriter | undefined;
  readonly #peerNotifier: PeerNotifier;
  #production: BlockProduction;
  /** The publication in progress. */
  #publishing: Promise<void> | undefined;
  #failedPublications = 0;
  /** Times between which nothing is published. A clock that shows an earlier time has been set back. */
  #publishPause = { fromMs: 0, untilMs: 0 };
  #isMining = false;
  #isStopped = false;
  #hasLoggedMissingFeatures = false;
  #wakeMs: number | undefined;

  /** @throws SchemaRefused, Error when the database is a newer release's, or belongs to another chain */
  constructor(options: NodeOptions) {
    this.#options = options;
    const { settings, database, nowMs, random, connectedPeers } = options;
    const { blockchain, node } = settings;
    const transaction = database.transaction.bind(database);
    this.store = new StateStore(database);
    openTables(this.store, genesisText(blockchain));
    const { maxRollbackDepth } = node;
    this.fork =
      options.fork &&
      new Fork({
        ...options.fork,
        settings: blockchain,
        store: this.store,
        exemption: options.exemption,
        addBaseRows: (rows) => this.#change(() => this.chain.committer.addBaseRows(rows)),
        publish: () => this.#publisher.drain(),
        log,
      });
    this.chain = openChain({
      store: this.store,
      settings: blockchain,
      transaction,
      maxRollbackDepth,
      storage: node,
      follow: (change) => this.pool.follow(change, this.chain.view),
      ...(this.fork && { view: this.fork.view }),
      exemption: options.exemption,
    });
    this.wallet =
      options.walletSeed &&
      new Wallet({
        seed: options.walletSeed,
        chainId: blockchain.chainId,
        accounts: node.walletAccounts,
        storage: storedWallet(this.store),
      });
    if (this.fork === undefined) this.chain.liquid.ensureGenesis(nowMs());
    else this.#ensureForkStart(this.fork);
    this.#logMissingFeatures();
    const { view, stored, liquid } = this.chain;
    this.#peerNotifier = new PeerNotifier({
      listener: options.peers,
      tip: () => this.chainTip(),
      accounts: () => this.wallet?.accounts() ?? [],
      chainId: blockchain.chainId,
      random,
    });
    this.pool = new UtxPool({
      settings: node.utx,
      chainId: blockchain.chainId,
      storage: new SqlPoolStorage(database),
    });
    this.pool.restore();
    this.#endorser = new Endorser({
      liquid,
      accounts: () => this.wallet?.accounts() ?? [],
      node,
      nowMs,
      onRoundStart: (begun) => this.#peerNotifier.voting(begun),
    });
    this.miner = new Miner({
      stored,
      liquid,
      pool: this.pool,
      accounts: () => this.wallet?.accounts() ?? [],
      node,
      connectedPeers,
      clockMs: nowMs,
      random,
      append: (block, atMs) => {
        this.append(block, { nowMs: atMs });
        this.#peerNotifier.forged(block);
      },
      appendMicroBlock: (microBlock, atMs, opened) => {
        this.#change(() => this.chain.liquid.appendOwnMicroBlock(microBlock, opened, atMs));
        this.#peerNotifier.extended(microBlock);
      },
      voting: () => this.#endorser.voting(),
      unwritable: (transaction) => this.#dropUnwritable(transaction),
    });
    this.#production = this.miner;
    const { forks, committer } = this.chain;
    const accounts = () => this.wallet?.accounts() ?? [];
    const tooCostly = (reason: string) => log(`a wrong state hash is not answered: ${reason}`);
    const { draws } = this.miner;
    this.#challenger = new Challenger({
      forks,
      liquid,
      committer,
      accounts,
      draws,
      node,
      random,
      tooCostly,
    });
    this.#publisher = new Publisher({
      store: this.store,
      readModel: options.readModel,
      genesis: genesisText(blockchain),
      chainId: blockchain.chainId,
      drawn: encodeHex(random(DRAWN_BYTES)),
      historyFrom: view.historyFrom,
      state: () => stored.state(),
      nowMs,
      onCopy: log,
      onRefused: (refusal) => logError("nothing is published until the next start", refusal.message),
    });
    this.#finalBlocks =
      options.finalBlocks &&
      new FinalBlockWriter({
        store: this.store,
        sink: options.finalBlocks,
        chain: () => ({
          identity: this.#publisher.identity,
          epoch: stored.epoch(),
          finalizedHeight: stored.finalizedHeight(),
        }),
        tipTimestampMs: () => Number(stored.tip().timestamp),
        nowMs,
        onError: (error) => logError("final blocks were not written to KV, and are tried again", error),
      });
    this.poolCalls = new PoolCalls({
      pool: this.pool,
      view,
      unpublished: new UnpublishedTransactions(this.store, view),
      minimumPeers: settings.node.minimumPeers,
      connectedPeers,
      nowMs,
      refusedWork: settings.isDevChain
        ? undefined
        : new RefusedWork({ networksOf, intervalMs: blockchain.genesis.averageBlockDelayMs, nowMs }),
      admit: (offers, atMs) => {
        const { fork } = this;
        const admit = (some: readonly ParsedSubmission[]) => this.#production.admit(some, atMs);
        return fork === undefined ? admit(offers) : admitAll(offers, { fork, store: this.store, admit }, atMs);
      },
      added: async (count, addedAtMs) => {
        const isSooner = await this.#production.admitted(count, addedAtMs);
        if (isSooner || !this.#isExpected(addedAtMs)) await this.schedule();
      },
      onAccepted: (transactions) => this.#peerNotifier.accepted(transactions),
      failed: logError,
    });
    this.walletCalls = new WalletCalls({
      wallet: this.wallet,
      chainId: blockchain.chainId,
      random,
      changed: async () => {
        this.miner.accountsChanged();
        await this.schedule();
      },
    });
  }

  /** Writes the first rows of a new fork. Blocks that both chains have are never rolled back. */
  #ensureForkStart({ source, known }: Fork): void {
    const { chain, store, wallet } = this;
    if (chain.view.height > 0) return;
    const { settings } = chain.view;
    const generator = wallet?.accounts()[0]?.address;
    chain.committer.addBaseRows(() => {
      // The tip changes once the rows are written.
      chain.view.refresh();
      store.putMeta(FINALIZED_HEIGHT, String(source.height));
      return forkStartRows({ source, settings, known, generator });
    });
  }

  /** Fetches the remote state that a state override reads or replaces on a fork. @throws errors of `overrideState` */
  async prepareOverride(overrideState: () => StateOverride): Promise<void> {
    const { view } = this.chain;
    await this.attempt(() => {
      const overlay = new OverlayView(view, { height: view.height });
      overlay.apply(overrideState().snapshot);
      view.assertKnown(overlay.changes);
    });
  }

  /**
   * Fetches the remote state that the node's work on a fork always needs. To be called before the node serves; without
   * a response it continues with the known state.
   */
  async prepare(): Promise<void> {
    try {
      await this.fork?.prepare();
    } catch (error) {
      logError("the fork begins with what it knows", error);
    }
  }

  /**
   * Runs a function that leaves nothing changed when it fails. On a fork it is run again once missing remote state has
   * been fetched.
   * @throws errors of `run`
   */
  async attempt<T>(run: () => T): Promise<Awaited<T>> {
    return this.fork === undefined ? await run() : this.fork.attempt(run);
  }

  /** Whether the node may make blocks: after `mine`, if its settings allow it. */
  get isMining(): boolean {
    return this.#isMining;
  }

  /** Allows or forbids the node to make blocks. */
  mine(isMining: boolean): void {
    this.#isMining = isMining && this.#options.settings.node.miner.enable;
    this.#isStopped = false;
  }

  /** Replaces the block production, which by default is the miner with its schedule. */
  setProduction(production: BlockProduction): void {
    this.#production = production;
  }

  /** Stops block production on the owner's request, until `mine` is called again. */
  stop(): void {
    this.#isMining = false;
    this.#isStopped = true;
  }

  /** Current round in which generators endorse a block; undefined: none. */
  votingRound(): VotingRound | undefined {
    this.#endorser.follow();
    return this.#endorser.round;
  }

  /** Receives an endorsement of another node. @returns whether it is to be relayed */
  endorse(offered: ReceivedEndorsement): boolean {
    return this.#endorser.receive(offered).isPassedOn;
  }

  // Changes of the chain.

  /**
   * Appends a block of this node or of another one.
   * @returns false for a block that the chain already has
   * @throws RuleError, with the chain unchanged
   */
  append(block: Block, context: Partial<AppendContext> = {}): boolean {
    return this.#changePartly(() => this.chain.forks.appendBlock(block, this.#appendContext(context)));
  }

  /**
   * Replaces a part of the chain by a branch with a higher score.
   * @returns false if the chain already has its blocks
   * @throws RuleError, with the chain unchanged
   */
  appendBranch(blocks: readonly Block[], context: Partial<AppendContext> = {}): boolean {
    return this.#change(() => this.chain.forks.appendBranch(blocks, this.#appendContext(context)));
  }

  /**
   * Works like `appendBranch`, for blocks that are read one after the other.
   * @throws RuleError; errors of reading the blocks; with work slices also PartlyApplied, SliceSpent, BranchPutOff
   */
  appendBranchStream(branch: Branch, terms?: SharedAppendContext): boolean {
    return this.#changePartly(() => this.chain.forks.appendBranchStream(branch, terms));
  }

  /** Appends a micro-block of another node. @throws RuleError, with the chain unchanged */
  appendMicroBlock(microBlock: MicroBlock, context: Partial<AppendContext> = {}): void {
    this.#change(() => this.chain.liquid.appendMicroBlock(microBlock, this.#appendContext(context)));
  }

  /**
   * Challenges a block from a peer that is valid except for its state hash: replaces it by a block of this node, if the
   * node makes blocks and one of its accounts comes before the generator.
   * @param work counts the work of its transactions, and may have stored results of it
   * @returns whether the chain has changed
   * @throws SliceSpent: repeating the call continues the challenge
   */
  challengeBlock(block: Block, work?: WorkSlice): boolean {
    return this.#respondToWrongHash(() => this.#appendChallenge(this.#challenger.challengeBlock(block, work)));
  }

  /**
   * Works like `challengeBlock`, for a micro-block. If its block cannot be replaced, the block is dropped: nothing can
   * extend it.
   */
  challengeMicroBlock(microBlock: MicroBlock, work?: WorkSlice): boolean {
    const { height } = this.chain.view;
    const isChallenged = this.#respondToWrongHash(() =>
      this.#appendChallenge(this.#challenger.challengeMicroBlock(microBlock, work)),
    );
    const drop = (): boolean => {
      this.rollBack(height - 1, {});
      this.#peerNotifier.changed();
      return true;
    };
    return isChallenged || this.#respondToWrongHash(drop);
  }

  /** Responds to a wrong state hash. Errors are logged: the received block is refused in any case. */
  #respondToWrongHash(answer: () => boolean): boolean {
    if (!this.#isMining || this.#options.settings.node.isLight) return false;
    try {
      return answer();
    } catch (error) {
      if (error instanceof SliceSpent) throw error;
      logError("a wrong state hash was not answered", error);
      return false;
    }
  }

  /** @returns whether the challenge was appended */
  #appendChallenge(forged: ForgedChallenge | undefined): boolean {
    if (forged === undefined) return false;
    const { block, include } = forged;
    const isAppended = this.append(block, { include });
    if (isAppended) this.#peerNotifier.forged(block);
    return isAppended;
  }

  /**
   * Rolls the chain back to a height: transactions of the removed blocks return to the pool or are dropped, a new epoch
   * begins if final objects are dropped, and the change is published.
   * @throws RuleError rollbackTooDeep
   */
  async revert(height: number, options: RevertOptions = {}): Promise<void> {
    this.rollBack(height, options);
    this.#peerNotifier.changed();
    await this.#publishInBackground();
  }

  /**
   * Applies a state override on the tip of a dev chain.
   * @throws RuleError, with the chain unchanged
   * @throws Error on any other chain
   */
  overrideState(overrideState: StateOverride): void {
    this.#assertDevChain("edited");
    this.#change(() => this.chain.liquid.appendOverride(overrideState));
    // The mining schedule depends on balances, and the tip is still the same block.
    this.miner.accountsChanged();
  }

  #assertDevChain(done: string): void {
    if (this.#options.settings.isDevChain !== true)
      throw new Error(`the state of a chain that is no dev chain is not ${done}`);
  }

  /** Rolls back like `revert`, without notifications. */
  rollBack(height: number, options: RevertOptions): void {
    this.#change(() => this.chain.forks.revertTo(height, options));
  }

  /**
   * Replaces the state of the tables atomically. Caches of the old state are dropped, and the new one is published.
   * @param rewrite changes the tables, and adds the rows to publish to the outbox
   * @param readMore reloads caches held outside `Node`; called after success and after rollback
   * @throws Error on a chain that is no dev chain
   */
  async replaceState(rewrite: () => void, readMore: () => void): Promise<void> {
    this.#assertDevChain("exchanged");
    this.#change(() => {
      try {
        this.#options.database.transaction(() => {
          rewrite();
          this.#reload();
          readMore();
          this.store.mark(() => this.chain.stored.state(), true);
        });
      } catch (error) {
        this.#reload();
        readMore();
        throw error;
      }
    });
    await this.#publishInBackground();
  }

  /** Drops or reloads everything read from the tables; to be called when they have been replaced. */
  #reload(): void {
    this.store.forgetCache();
    this.chain.view.refresh();
    this.chain.liquid.forget();
    this.pool.restore();
    this.wallet?.restore();
    this.miner.forget();
    this.#endorser.forget();
  }

  /** Changes the chain and the pool atomically. */
  #change<T>(run: () => T): T {
    const result = this.#changeWithoutEndorsing(run);
    this.#endorser.follow();
    return result;
  }

  /** Works like `#change`, for blocks that may be applied in part. @throws PartlyApplied when some have been */
  #changePartly<T>(run: () => T): T {
    try {
      return this.#change(run);
    } catch (error) {
      if (error instanceof PartlyApplied) {
        this.#change(() => {});
        this.#peerNotifier.changed();
      }
      throw error;
    }
  }

  /** Works like `#change`, without endorsements by this node. */
  #changeWithoutEndorsing<T>(run: () => T): T {
    const result = run();
    this.#publisher.changed();
    this.#logMissingFeatures();
    return result;
  }

  /** Drops a transaction that cannot be written, unless the database accepts no writes at all. */
  #dropUnwritable({ id }: Transaction): void {
    if (!this.store.canWrite()) return;
    this.pool.removeAll([{ id }]);
    logError("a transaction left the pool", `${encodeBase58(id)} can be written into no block`);
  }

  /** Logs once that this release cannot follow the chain any further. */
  #logMissingFeatures(): void {
    const features = this.chain.liquid.missingFeatures();
    if (features.length > 0 && !this.#hasLoggedMissingFeatures)
      logError("no block is taken from here on", describeViolation({ code: "featuresUnimplemented", features }));
    this.#hasLoggedMissingFeatures = features.length > 0;
  }

  #appendContext(context: Partial<AppendContext>): AppendContext {
    return { nowMs: this.#options.nowMs(), verifySignatures: true, ...context };
  }

  /**
   * Applies the blocks of a chunk of a block file, and brings the read model up to date.
   */
  async importBlocks(bytes: Uint8Array, options: Omit<ImportOptions, "nowMs"> = {}): Promise<ImportedBlocks> {
    const imported = this.#changeWithoutEndorsing(() =>
      importBlocks(this.chain, bytes, { ...options, nowMs: this.#options.nowMs() }),
    );
    this.pool.startCleanUp();
    this.#peerNotifier.changed();
    await this.#publisher.drain();
    this.#finalBlocks?.skipFinalized();
    return imported;
  }

  /** Resolves when the read model shows the current chain. @throws the database's error */
  drain(): Promise<void> {
    return this.#publisher.drain();
  }

  // Scheduled work.

  /** Resolves when the publication has ended; the node's own work does not wait for it. */
  async wake(): Promise<void> {
    this.#publisher.lookAgain();
    // The caller has found that the read model responds, or calls once a minute: publication need not wait any longer.
    const { fromMs, untilMs } = this.#publishPause;
    this.#publishPause = { fromMs, untilMs: Math.min(untilMs, fromMs + PUBLISH_RETRY_MS.first) };
    await this.#publishInBackground();
  }

  async status(): Promise<NodeStatus> {
    const { height } = this.chain.view;
    return {
      height,
      tipTimestampMs: Number(this.chain.stored.tip().timestamp),
      isStopped: this.#isStopped,
      unpublishedMs: this.#publisher.unpublishedMs,
      unconfirmed: this.pool.size,
    };
  }

  /** Tip of the chain as reported to peers. */
  chainTip(): ChainTip {
    const { height, id, score, timestamp } = this.chain.stored.tip();
    return { height, score, tipId: id, tipTimestampMs: Number(timestamp) };
  }

  async orderFills(orderIds: Uint8Array[]): Promise<OrderFill[]> {
    const { view } = this.chain;
    return (orderIds as OrderId[]).map((orderId) => {
      const { volume, fee } = view.orderFill(orderId);
      return { orderId, volume, fee };
    });
  }

  /**
   * Does the due work: a block or a micro-block, some of the pool's clean-up; schedules the next wake. Starts
   * publication, which runs in the background: the chain never waits for the read model.
   */
  async work(): Promise<void> {
    this.#wakeMs = undefined;
    // After a pause the node has neither received nor sent endorsements.
    this.#endorser.follow();
    try {
      await this.attempt(() => this.step());
    } catch (error) {
      // The miner has its own pause before the next attempt.
      logError("the node's work failed", error);
    }
    void this.publish();
    await this.schedule();
  }

  /** Does the due work of mining and of the pool's clean-up. @throws errors of this node's own blocks */
  step(): MinerStep {
    const nowMs = this.#options.nowMs();
    const step: MinerStep = this.#isMining ? this.#production.run(nowMs) : { kind: "nothing" };
    this.pool.cleanUp(this.chain.view, nowMs);
    return step;
  }

  /** Brings the read model up to date, and retries later if it does not respond. Concurrent calls share one run. */
  publish(): Promise<void> {
    if (this.#isPublishPaused(this.#options.nowMs())) {
      this.#publisher.bound();
      return Promise.resolve();
    }
    this.#publishing ??= this.#drainOrLater().finally(() => {
      this.#publishing = undefined;
    });
    return this.#publishing;
  }

  /** Starts publication and schedules the due work again; to be called after a change of the chain from outside. */
  async goOn(): Promise<void> {
    void this.publish();
    await this.schedule();
  }

  /** Readable progress while the read model is rebuilt. */
  get publishing(): string | undefined {
    return this.#publisher.copying;
  }

  /** Resolves when the publication in progress, if any, has ended. */
  async published(): Promise<void> {
    await this.#publishing;
  }

  /** Starts publication, and schedules the next wake regardless of its result. */
  async #publishInBackground(): Promise<void> {
    const published = this.publish();
    await Promise.all([published, this.schedule()]);
  }

  async #drainOrLater(): Promise<void> {
    try {
      await this.#publisher.drain();
      this.#failedPublications = 0;
      if (this.#publisher.isUpToDate) void this.#finalBlocks?.follow();
    } catch (error) {
      logError("the read model was not updated", error);
      const pauseMs = Math.min(PUBLISH_RETRY_MS.first * 2 ** this.#failedPublications, PUBLISH_RETRY_MS.longest);
      this.#failedPublications += 1;
      const fromMs = this.#options.nowMs();
      this.#publishPause = { fromMs, untilMs: fromMs + pauseMs };
      await this.#wakeAt(fromMs + pauseMs);
    }
  }

  #isPublishPaused(nowMs: number): boolean {
    const { fromMs, untilMs } = this.#publishPause;
    return nowMs >= fromMs && nowMs < untilMs;
  }

  /** Schedules a wake for the earliest due work; to be called after any change of the due work. */
  async schedule(): Promise<void> {
    const nowMs = this.#options.nowMs();
    const due = [
      this.#isMining ? this.#production.nextWakeMs(nowMs) : undefined,
      this.pool.hasCleanUp ? nowMs + NEXT_SLICE_MS : undefined,
      this.#publishDueMs(nowMs),
    ].filter((dueMs) => dueMs !== undefined);
    if (due.length > 0) await this.#wakeAt(Math.max(Math.min(...due), nowMs));
  }

  /** Schedules a wake, unless an earlier one is scheduled. */
  async #wakeAt(dueMs: number): Promise<void> {
    const nowMs = this.#options.nowMs();
    const wakeMs = Math.min(dueMs, nowMs + LONGEST_SLEEP_MS);
    if (this.#wakeMs !== undefined && this.#wakeMs <= wakeMs && this.#isExpected(nowMs)) return;
    this.#wakeMs = wakeMs;
    await this.#options.wakeAt(wakeMs);
  }

  /** Whether a scheduled wake is still in the future. */
  #isExpected(nowMs: number): boolean {
    return this.#wakeMs !== undefined && this.#wakeMs > nowMs;
  }

  /** Time of the next publication, ms; undefined: there is nothing to publish. During a run: the end of its timeout. */
  #publishDueMs(nowMs: number): number | undefined {
    if (!this.#publisher.hasWork) return undefined;
    if (this.#publishing !== undefined) return nowMs + PUBLISH_TIMEOUT_MS;
    return this.#isPublishPaused(nowMs) ? this.#publishPause.untilMs : nowMs;
  }
}

/**
 * The node, wired: store, chain, pool, miner, publisher, wallet. Everything that differs between Cloudflare, a test and a
 * simulation comes in: clock, random bytes, storage, timers, read model. The same facts make the same chain.
 */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { encodeHex } from "../../src/crypto/hex.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { NodeRpc, NodeStanding } from "../../src/env.ts";
import type { ForkSource } from "../../src/network/fork-source.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { networksOf } from "../../src/network/subscriber.ts";
import { RefusedWork } from "../../src/platform/refused-work.ts";
import type { Block, MicroBlock } from "../../src/protocol/blocks/block.ts";
import { describeFault } from "../../src/protocol/describe-violation.ts";
import type { OrderFill } from "../../src/protocol/snapshots/snapshot.ts";
import type { OrderId } from "../../src/protocol/transactions/order.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { ChainListener, ChainStanding } from "../../src/rpc/chain-for-peers.ts";
import type { VotingRound } from "../../src/rules/finality/voting-round.ts";
import type { AuthorizationExemption } from "../../src/rules/state/authorization-exemption.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { log, logFault } from "../log.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { OfferedTerms } from "./chain/append-context.ts";
import type { Branch } from "./chain/branch.ts";
import type { RevertOptions } from "./chain/fork-choice.ts";
import { type ImportedBlocks, type ImportOptions, importBlocks } from "./chain/import-blocks.ts";
import type { AppendContext, StateEdit } from "./chain/liquid-chain.ts";
import { type Chain, openChain } from "./chain/open-chain.ts";
import { FINALIZED_HEIGHT } from "./chain/stored-chain.ts";
import { PartLanded, PortionSpent, type PortionWork } from "./chain/work-slice.ts";
import { Endorser, type OfferedEndorsement } from "./finality/endorser.ts";
import { admitAll } from "./fork/admission.ts";
import { Fork, type ForkWiring } from "./fork/fork.ts";
import { forkStartRows } from "./fork/fork-start.ts";
import { Challenger } from "./miner/challenger.ts";
import type { ForgedChallenge } from "./miner/forge-challenge.ts";
import { type BlockProduction, Miner, type MinerStep } from "./miner/miner.ts";
import { PeerNews } from "./peers/peer-notifier.ts";
import { PoolCalls } from "./pool/pool-calls.ts";
import { SqlPoolStorage } from "./pool/sql-pool-storage.ts";
import { type Offered, UtxPool } from "./pool/utx-pool.ts";
import { type FinalBlockSink, FinalBlockWriter } from "./publish/final-block-writer.ts";
import { Publisher } from "./publish/publisher.ts";
import type { ReadModelSink } from "./publish/read-model-sink.ts";
import { UnpublishedTransactions } from "./publish/unpublished-transactions.ts";
import { openTables } from "./state/open-tables.ts";
import { StateStore } from "./state/state-store.ts";
import { Wallet } from "./wallet/wallet.ts";
import { WalletCalls } from "./wallet/wallet-calls.ts";
import { storedWallet } from "./wallet/wallet-storage.ts";

/** Time between two slices of work that must not keep the node from answering, ms. */
const NEXT_SLICE_MS = 1;
/** It wakes once in so long a time at least, ms: Cloudflare's alarms have no place for any date that a number can have. */
const LONGEST_SLEEP_MS = 24 * 3_600_000;
/** Time until a failed publication is tried again, ms: at first, and at most when it fails again and again. */
const PUBLISH_RETRY_MS = { first: 1_000, longest: 60_000 } as const;
/** A publication that was under way when the object went is begun again after this time, ms. */
const PUBLISH_PATIENCE_MS = 60_000;
/** Bytes of a name that nobody else draws. */
const DRAWN_BYTES = 8;

export interface NodeFacts {
  readonly settings: NetworkSettings;
  /** Of the wallet; undefined: the node has no accounts and makes no blocks. */
  readonly walletSeed: Uint8Array | undefined;
  readonly database: SqlDatabase;
  readonly readModel: ReadModelSink;
  /** Undefined: first readers alone write final blocks there. */
  readonly finalBlocks?: FinalBlockSink | undefined;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  readonly random: RandomSource;
  /** Asks for a call of `work` at a time, ms. A later call replaces an earlier one. */
  readonly wakeAt: (timeMs: number) => Promise<void>;
  readonly connectedPeers: () => number;
  /** Is told what other nodes are to know; undefined: nobody speaks with any. */
  readonly peers?: ChainListener | undefined;
  /** The chain goes on from another network's: where that is, and how it is asked. */
  readonly fork?: { readonly source: ForkSource; readonly fetch: ForkWiring["fetch"] } | undefined;
  /** Of a dev chain: whose transactions need no authorization. */
  readonly exemption?: AuthorizationExemption | undefined;
}

export class Node implements NodeRpc {
  readonly chain: Chain;
  readonly pool: UtxPool;
  readonly miner: Miner;
  readonly wallet: Wallet | undefined;
  readonly store: StateStore;
  /** What the Worker asks of the pool. */
  readonly poolCalls: PoolCalls;
  /** What the Worker asks of the wallet. */
  readonly walletCalls: WalletCalls;
  /** Undefined: the chain has all of its state. */
  readonly fork: Fork | undefined;
  readonly #facts: NodeFacts;
  readonly #publisher: Publisher;
  readonly #challenger: Challenger;
  readonly #endorser: Endorser;
  readonly #finalBlocks: FinalBlockWriter | undefined;
  readonly #news: PeerNews;
  #production: BlockProduction;
  /** The publication that is under way. */
  #publishing: Promise<void> | undefined;
  #failedPublications = 0;
  /** Nothing is published between these times. A clock that shows an earlier one has been set back. */
  #publishPause = { fromMs: 0, untilMs: 0 };
  #isMining = false;
  #isStopped = false;
  #hasToldOfFeatures = false;
  #wakeMs: number | undefined;

  /** @throws SchemaRefused, Error when the database is a newer release's, or belongs to another chain */
  constructor(facts: NodeFacts) {
    this.#facts = facts;
    const { settings, database, nowMs, random, connectedPeers } = facts;
    const { blockchain, node } = settings;
    const transaction = database.transaction.bind(database);
    this.store = new StateStore(database);
    openTables(this.store, genesisText(blockchain));
    const { maxRollbackDepth } = node;
    this.fork =
      facts.fork &&
      new Fork({
        ...facts.fork,
        settings: blockchain,
        store: this.store,
        exemption: facts.exemption,
        addBaseRows: (rows) => this.#change(() => this.chain.steps.addBaseRows(rows)),
        publish: () => this.#publisher.drain(),
        tell: log,
      });
    this.chain = openChain({
      store: this.store,
      settings: blockchain,
      transaction,
      maxRollbackDepth,
      keeps: node,
      follow: (change) => this.pool.follow(change, this.chain.view),
      ...(this.fork && { view: this.fork.view }),
      exemption: facts.exemption,
    });
    this.wallet =
      facts.walletSeed &&
      new Wallet({
        seed: facts.walletSeed,
        chainId: blockchain.chainId,
        accounts: node.walletAccounts,
        storage: storedWallet(this.store),
      });
    if (this.fork === undefined) this.chain.liquid.ensureGenesis(nowMs());
    else this.#ensureForkStart(this.fork);
    this.#tellOfMissingFeatures();
    const { view, stored, liquid } = this.chain;
    this.#news = new PeerNews({
      listener: facts.peers,
      standing: () => this.chainStanding(),
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
      tell: (begun) => this.#news.voting(begun),
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
        this.#news.forged(block);
      },
      appendMicroBlock: (microBlock, atMs, opened) => {
        this.#change(() => this.chain.liquid.appendOwnMicroBlock(microBlock, opened, atMs));
        this.#news.extended(microBlock);
      },
      voting: () => this.#endorser.voting(),
      unwritable: (transaction) => this.#dropUnwritable(transaction),
    });
    this.#production = this.miner;
    const { forks, steps } = this.chain;
    const accounts = () => this.wallet?.accounts() ?? [];
    const tooCostly = (reason: string) => log(`a wrong state hash is not answered: ${reason}`);
    const { draws } = this.miner;
    this.#challenger = new Challenger({ forks, liquid, steps, accounts, draws, node, random, tooCostly });
    this.#publisher = new Publisher({
      store: this.store,
      readModel: facts.readModel,
      genesis: genesisText(blockchain),
      chainId: blockchain.chainId,
      drawn: encodeHex(random(DRAWN_BYTES)),
      historyFrom: view.historyFrom,
      state: () => stored.state(),
      nowMs,
      onCopy: log,
      onRefused: (refusal) => logFault("nothing is published until the next start", refusal.message),
    });
    this.#finalBlocks =
      facts.finalBlocks &&
      new FinalBlockWriter({
        store: this.store,
        sink: facts.finalBlocks,
        chain: () => ({
          identity: this.#publisher.identity,
          epoch: stored.epoch(),
          finalizedHeight: stored.finalizedHeight(),
        }),
        tipTimestampMs: () => Number(stored.tip().timestamp),
        nowMs,
        onFault: (error) => logFault("final blocks were not written to KV, and are tried again", error),
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
        const admit = (some: readonly Offered[]) => this.#production.admit(some, atMs);
        return fork === undefined ? admit(offers) : admitAll(offers, { fork, store: this.store, admit }, atMs);
      },
      added: async (count, addedAtMs) => {
        const isSooner = await this.#production.admitted(count, addedAtMs);
        if (isSooner || !this.#isExpected(addedAtMs)) await this.schedule();
      },
      heard: (transactions) => this.#news.heard(transactions),
      failed: logFault,
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

  /** Writes the rows with which a fork begins, where there are none yet. What both chains have is never taken back. */
  #ensureForkStart({ source, known }: Fork): void {
    const { chain, store, wallet } = this;
    if (chain.view.height > 0) return;
    const { settings } = chain.view;
    const generator = wallet?.accounts()[0]?.address;
    chain.steps.addBaseRows(() => {
      // The tip is another one once they are written.
      chain.view.refresh();
      store.putMeta(FINALIZED_HEIGHT, String(source.height));
      return forkStartRows({ source, settings, known, generator });
    });
  }

  /** Has all that a change of the owner's reads and writes over, on a fork. @throws what `edit` throws */
  async expectEdit(edit: () => StateEdit): Promise<void> {
    const { view } = this.chain;
    await this.attempt(() => {
      const overlay = new OverlayView(view, { height: view.height });
      overlay.apply(edit().snapshot);
      view.expectKnown(overlay.changes);
    });
  }

  /**
   * Has what the node's work on a fork asks for all the time. To be called before the node serves; without an answer it goes on
   * with what it knows.
   */
  async prepare(): Promise<void> {
    try {
      await this.fork?.prepare();
    } catch (error) {
      logFault("the fork begins with what it knows", error);
    }
  }

  /**
   * Runs what leaves nothing behind when it fails. On a fork it is run again once what it needs of the state behind it has come.
   * @throws what `run` throws
   */
  async attempt<T>(run: () => T): Promise<Awaited<T>> {
    return this.fork === undefined ? await run() : this.fork.attempt(run);
  }

  /** Whether the node may make blocks: from `mine` on, if its settings let it. */
  get isMining(): boolean {
    return this.#isMining;
  }

  /** Lets the node make blocks from now on, or no more. */
  mine(isMining: boolean): void {
    this.#isMining = isMining && this.#facts.settings.node.miner.enable;
    this.#isStopped = false;
  }

  /** Who makes the blocks from now on, instead of the miner by its schedule. */
  makeBlocksBy(production: BlockProduction): void {
    this.#production = production;
  }

  /** The owner wants no more blocks, until `mine` is called again. */
  stop(): void {
    this.#isMining = false;
    this.#isStopped = true;
  }

  /** What generators are asked to endorse; undefined: nothing. */
  votingRound(): VotingRound | undefined {
    this.#endorser.follow();
    return this.#endorser.round;
  }

  /** Takes in an endorsement of another node. @returns whether further nodes are to have it, too */
  endorse(offered: OfferedEndorsement): boolean {
    return this.#endorser.take(offered).isPassedOn;
  }

  // What changes the chain.

  /**
   * Appends a block of this node or of another one.
   * @returns false for a block that the chain already has
   * @throws RuleError the chain is then as it was
   */
  append(block: Block, context: Partial<AppendContext> = {}): boolean {
    return this.#changeInPart(() => this.chain.forks.appendBlock(block, this.#appendContext(context)));
  }

  /**
   * Puts a branch in the place of a part of the chain that weighs less.
   * @returns false where the chain already has its blocks
   * @throws RuleError the chain is then as it was
   */
  appendBranch(blocks: readonly Block[], context: Partial<AppendContext> = {}): boolean {
    return this.#change(() => this.chain.forks.appendBranch(blocks, this.#appendContext(context)));
  }

  /**
   * As `appendBranch`, for blocks that are read one after the other.
   * @throws RuleError; errors of reading them; with portions also PartLanded, PortionSpent, BranchPutOff
   */
  appendOffered(branch: Branch, terms?: OfferedTerms): boolean {
    return this.#changeInPart(() => this.chain.forks.appendOffered(branch, terms));
  }

  /** Appends a micro-block of another node. @throws RuleError the chain is then as it was */
  appendMicroBlock(microBlock: MicroBlock, context: Partial<AppendContext> = {}): void {
    this.#change(() => this.chain.liquid.appendMicroBlock(microBlock, this.#appendContext(context)));
  }

  /**
   * Puts a block of ours in the place of one that a peer has sent and whose state hash alone is wrong, if the node makes blocks
   * and one of its accounts comes before the generator.
   * @param work counts what its transactions take, and may know of it
   * @returns whether the chain is another one now
   * @throws PortionSpent: the same call again goes on with the challenge
   */
  challengeBlock(block: Block, work?: PortionWork): boolean {
    return this.#answerWrongHash(() => this.#appendChallenge(this.#challenger.challengeBlock(block, work)));
  }

  /** As `challengeBlock`, of a micro-block. Where its block cannot be replaced, it is dropped: nothing extends it any more. */
  challengeMicroBlock(microBlock: MicroBlock, work?: PortionWork): boolean {
    const { height } = this.chain.view;
    const isChallenged = this.#answerWrongHash(() =>
      this.#appendChallenge(this.#challenger.challengeMicroBlock(microBlock, work)),
    );
    const drop = (): boolean => {
      this.takeBack(height - 1, {});
      this.#news.changed();
      return true;
    };
    return isChallenged || this.#answerWrongHash(drop);
  }

  /** Whatever becomes of the answer, what was sent is refused. */
  #answerWrongHash(answer: () => boolean): boolean {
    if (!this.#isMining || this.#facts.settings.node.isLight) return false;
    try {
      return answer();
    } catch (error) {
      if (error instanceof PortionSpent) throw error;
      logFault("a wrong state hash was not answered", error);
      return false;
    }
  }

  /** @returns whether the chain has it now */
  #appendChallenge(forged: ForgedChallenge | undefined): boolean {
    if (forged === undefined) return false;
    const { block, place } = forged;
    const isAppended = this.append(block, { place });
    if (isAppended) this.#news.forged(block);
    return isAppended;
  }

  /**
   * Takes the chain back to a height: its blocks' transactions return to the pool or are dropped, a new epoch begins where
   * final objects are dropped, and readers are told.
   * @throws RuleError rollbackTooDeep
   */
  async revert(height: number, options: RevertOptions = {}): Promise<void> {
    this.takeBack(height, options);
    this.#news.changed();
    await this.#publishBeside();
  }

  /**
   * Puts a change on the tip of a dev chain that no transaction makes.
   * @throws RuleError the chain is then as it was
   * @throws Error on any other chain
   */
  edit(edit: StateEdit): void {
    this.#expectDevChain("edited");
    this.#change(() => this.chain.liquid.appendEdit(edit));
    // Turns depend on balances, and the tip is still the same block.
    this.miner.accountsChanged();
  }

  #expectDevChain(done: string): void {
    if (this.#facts.settings.isDevChain !== true)
      throw new Error(`the state of a chain that is no dev chain is not ${done}`);
  }

  /** As `revert`; nobody is told yet. */
  takeBack(height: number, options: RevertOptions): void {
    this.#change(() => this.chain.forks.revertTo(height, options));
  }

  /**
   * Puts another state in the tables' place, whole or not at all. What of the old one is remembered is forgotten, and readers
   * are told.
   * @param rewrite changes the tables, and leaves in the outbox what of it is to be published
   * @param readMore is what others than the node remember of the state, read anew: of the new one, or of the old one where
   *   the new one cannot be had
   * @throws Error on a chain that is no dev chain
   */
  async exchangeState(rewrite: () => void, readMore: () => void): Promise<void> {
    this.#expectDevChain("exchanged");
    this.#change(() => {
      try {
        this.#facts.database.transaction(() => {
          rewrite();
          this.#readAnew();
          readMore();
          this.store.mark(() => this.chain.stored.state(), true);
        });
      } catch (error) {
        this.#readAnew();
        readMore();
        throw error;
      }
    });
    await this.#publishBeside();
  }

  /** The tables are others than before: so is all that was read of them. */
  #readAnew(): void {
    this.store.forgetCache();
    this.chain.view.refresh();
    this.chain.liquid.forget();
    this.pool.restore();
    this.wallet?.restore();
    this.miner.forget();
    this.#endorser.forget();
  }

  /** Changes the chain, and the pool with it: both or neither, whatever fails. */
  #change<T>(run: () => T): T {
    const result = this.#changeUnheard(run);
    this.#endorser.follow();
    return result;
  }

  /** As `#change`, of blocks of which some may land. @throws PartLanded where some have */
  #changeInPart<T>(run: () => T): T {
    try {
      return this.#change(run);
    } catch (error) {
      if (error instanceof PartLanded) {
        this.#change(() => {});
        this.#news.changed();
      }
      throw error;
    }
  }

  /** As `#change`, where nobody waits to hear what this node endorses. */
  #changeUnheard<T>(run: () => T): T {
    const result = run();
    this.#publisher.changed();
    this.#tellOfMissingFeatures();
    return result;
  }

  /** Where the database takes nothing at all, it is not the transaction's fault. */
  #dropUnwritable({ id }: Transaction): void {
    if (!this.store.canWrite()) return;
    this.pool.removeAll([{ id }]);
    logFault("a transaction left the pool", `${encodeBase58(id)} can be written into no block`);
  }

  /** Says once that the chain has come to where this release cannot follow. */
  #tellOfMissingFeatures(): void {
    const features = this.chain.liquid.missingFeatures();
    if (features.length > 0 && !this.#hasToldOfFeatures)
      logFault("no block is taken from here on", describeFault({ code: "featuresUnimplemented", features }));
    this.#hasToldOfFeatures = features.length > 0;
  }

  #appendContext(context: Partial<AppendContext>): AppendContext {
    return { nowMs: this.#facts.nowMs(), verifySignatures: true, ...context };
  }

  /**
   * Applies the blocks of a piece of a block file, and brings the read model up to date.
   */
  async importBlocks(bytes: Uint8Array, options: Omit<ImportOptions, "nowMs"> = {}): Promise<ImportedBlocks> {
    const imported = this.#changeUnheard(() =>
      importBlocks(this.chain, bytes, { ...options, nowMs: this.#facts.nowMs() }),
    );
    this.pool.startCleanUp();
    this.#news.changed();
    await this.#publisher.drain();
    this.#finalBlocks?.leaveBehind();
    return imported;
  }

  /** Resolves when the read model shows the chain as it is. @throws the database's error */
  drain(): Promise<void> {
    return this.#publisher.drain();
  }

  // Time.

  /** Resolves when the publication is over; the node's own work does not wait for it. */
  async wake(): Promise<void> {
    this.#publisher.lookAgain();
    // Whoever wakes the node has found the read model to answer, or does so once a minute: it need not wait any longer.
    const { fromMs, untilMs } = this.#publishPause;
    this.#publishPause = { fromMs, untilMs: Math.min(untilMs, fromMs + PUBLISH_RETRY_MS.first) };
    await this.#publishBeside();
  }

  async standing(): Promise<NodeStanding> {
    const { height } = this.chain.view;
    return {
      height,
      tipTimestampMs: Number(this.chain.stored.tip().timestamp),
      isStopped: this.#isStopped,
      unpublishedMs: this.#publisher.unpublishedMs,
      unconfirmed: this.pool.size,
    };
  }

  /** As other nodes are told of it. */
  chainStanding(): ChainStanding {
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
   * What is due by now: a block or a micro-block, some of the pool's clean-up; asks to be woken again. Publication begins,
   * and goes on beside it: whatever becomes of the read model, the chain does not wait for it.
   */
  async work(): Promise<void> {
    this.#wakeMs = undefined;
    // A node that was away has heard nothing, and said nothing.
    this.#endorser.follow();
    try {
      await this.attempt(() => this.step());
    } catch (error) {
      // The miner has its own pause before the next try.
      logFault("the node's work failed", error);
    }
    void this.publish();
    await this.schedule();
  }

  /** What is due of mining and of the pool's clean-up. @throws what is wrong with a block of our own */
  step(): MinerStep {
    const nowMs = this.#facts.nowMs();
    const step: MinerStep = this.#isMining ? this.#production.run(nowMs) : { kind: "nothing" };
    this.pool.cleanUp(this.chain.view, nowMs);
    return step;
  }

  /** Brings the read model up to date; one that does not answer is tried again later. Calls at the same time share one run. */
  publish(): Promise<void> {
    if (this.#isPublishPaused(this.#facts.nowMs())) {
      this.#publisher.bound();
      return Promise.resolve();
    }
    this.#publishing ??= this.#drainOrLater().finally(() => {
      this.#publishing = undefined;
    });
    return this.#publishing;
  }

  /** To be called after others have changed the chain: what is due is another thing now, and publication begins. */
  async goOn(): Promise<void> {
    void this.publish();
    await this.schedule();
  }

  /** While the read model is written anew: how far it is, for people. */
  get publishing(): string | undefined {
    return this.#publisher.copying;
  }

  /** Resolves when the publication that is under way is over, if there is one. */
  async published(): Promise<void> {
    await this.#publishing;
  }

  /** Asks to be woken, whatever becomes of the publication that begins. */
  async #publishBeside(): Promise<void> {
    const published = this.publish();
    await Promise.all([published, this.schedule()]);
  }

  async #drainOrLater(): Promise<void> {
    try {
      await this.#publisher.drain();
      this.#failedPublications = 0;
      if (this.#publisher.isUpToDate) void this.#finalBlocks?.follow();
    } catch (error) {
      logFault("the read model was not updated", error);
      const pauseMs = Math.min(PUBLISH_RETRY_MS.first * 2 ** this.#failedPublications, PUBLISH_RETRY_MS.longest);
      this.#failedPublications += 1;
      const fromMs = this.#facts.nowMs();
      this.#publishPause = { fromMs, untilMs: fromMs + pauseMs };
      await this.#wakeAt(fromMs + pauseMs);
    }
  }

  #isPublishPaused(nowMs: number): boolean {
    const { fromMs, untilMs } = this.#publishPause;
    return nowMs >= fromMs && nowMs < untilMs;
  }

  /** To be called after something has changed what is due: asks to be woken for the earliest thing to do. */
  async schedule(): Promise<void> {
    const nowMs = this.#facts.nowMs();
    const due = [
      this.#isMining ? this.#production.nextWakeMs(nowMs) : undefined,
      this.pool.hasCleanUp ? nowMs + NEXT_SLICE_MS : undefined,
      this.#publishDueMs(nowMs),
    ].filter((dueMs) => dueMs !== undefined);
    if (due.length > 0) await this.#wakeAt(Math.max(Math.min(...due), nowMs));
  }

  /** Asks to be woken, unless an earlier time was asked for. */
  async #wakeAt(dueMs: number): Promise<void> {
    const nowMs = this.#facts.nowMs();
    const wakeMs = Math.min(dueMs, nowMs + LONGEST_SLEEP_MS);
    if (this.#wakeMs !== undefined && this.#wakeMs <= wakeMs && this.#isExpected(nowMs)) return;
    this.#wakeMs = wakeMs;
    await this.#facts.wakeAt(wakeMs);
  }

  /** Whether it was asked for a time to be woken at that is still to come. */
  #isExpected(nowMs: number): boolean {
    return this.#wakeMs !== undefined && this.#wakeMs > nowMs;
  }

  /** When there is something to publish, and it does not wait for its turn behind what is under way. */
  #publishDueMs(nowMs: number): number | undefined {
    if (!this.#publisher.hasWork) return undefined;
    if (this.#publishing !== undefined) return nowMs + PUBLISH_PATIENCE_MS;
    return this.#isPublishPaused(nowMs) ? this.#publishPause.untilMs : nowMs;
  }
}

/**
 * ChainState: the one object of a network that changes chain data. It wires storage, clock, alarm and calls to the parts
 * that hold the rules, and has none of its own.
 */
import { DurableObject } from "cloudflare:workers";
import { decodeBase58, encodeBase58 } from "../src/crypto/base58.ts";
import { type BytesKey, bytesKey } from "../src/crypto/bytes.ts";
import type { BroadcastAnswer, ChainRpc, Env, ValidationAnswer } from "../src/env.ts";
import { networkOfBinding } from "../src/network/network-of-binding.ts";
import type { NodeSettings } from "../src/network/settings.ts";
import type { Block, MicroBlock } from "../src/protocol/blocks/block.ts";
import { RuleError } from "../src/protocol/faults.ts";
import { encodeProtobuf } from "../src/protocol/transactions/encode-for-block.ts";
import type { TransactionFault } from "../src/protocol/transactions/faults.ts";
import { parseSignedTransaction } from "../src/protocol/transactions/parse-transaction.ts";
import type { Transaction, TransactionId } from "../src/protocol/transactions/transaction.ts";
import { type TraceStep, traceStepJson } from "../src/rules/transactions/scripts/trace.ts";
import type { StoredValue } from "../src/tables/schema/cell.ts";
import { Chain, type OpenedMicroBlock } from "./chain/chain.ts";
import { type ImportedBlocks, importBlocks } from "./chain/import-blocks.ts";
import { logFault } from "./log.ts";
import { Miner } from "./miner/miner.ts";
import { openTables } from "./open-tables.ts";
import { answerOperator, type Operator } from "./operator.ts";
import { SqlPoolStorage } from "./pool/sql-pool-storage.ts";
import { UtxPool } from "./pool/utx-pool.ts";
import { type PublishedState, Publisher } from "./publish/publisher.ts";
import { d1Sink } from "./publish/read-model-sink.ts";
import type { SqlDatabase } from "./state/sql-database.ts";
import { StateStore } from "./state/state-store.ts";
import { Wallet } from "./wallet/wallet.ts";

/** Time between two slices of work that must not keep the object from answering, ms. */
const NEXT_SLICE_MS = 1;
/** Time until a failed publication is tried again, ms. */
const PUBLISH_RETRY_MS = 1_000;

export class ChainState extends DurableObject<Env> implements ChainRpc, Operator {
  readonly #node: NodeSettings;
  readonly #chainId: number;
  readonly #store: StateStore;
  readonly #chain: Chain;
  readonly #pool: UtxPool;
  readonly #miner: Miner;
  readonly #publisher: Publisher;
  /** Transactions that left the pool for a block that the read model does not show yet: still found as unconfirmed. */
  readonly #unpublished = new Map<BytesKey, Uint8Array>();
  #isMining: boolean;
  #wakeMs: number | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { blockchain, node } = networkOfBinding(env.NETWORK);
    const { storage } = ctx;
    const transaction = <T>(run: () => T): T => storage.transactionSync(run);
    this.#node = node;
    this.#chainId = blockchain.chainId;
    // A raw cursor has `toArray`, which its type does not say.
    const exec = (query: string, ...bindings: StoredValue[]) =>
      storage.sql.exec(query, ...bindings) as unknown as ReturnType<SqlDatabase["exec"]>;
    this.#store = new StateStore({ exec, transaction });
    openTables(this.#store, encodeBase58(blockchain.genesis.signature ?? new Uint8Array()));
    const { maxRollbackDepth } = node;
    const chain = new Chain({ store: this.#store, settings: blockchain, transaction, maxRollbackDepth, keeps: node });
    chain.ensureGenesis(Date.now());
    this.#chain = chain;
    this.#pool = new UtxPool({
      settings: node.utx,
      chainId: blockchain.chainId,
      storage: new SqlPoolStorage(this.#store.sql),
    });
    this.#pool.restore(chain.view);
    const wallet = openWallet(env.WALLET_SEED, blockchain.chainId, node.walletAccounts);
    this.#isMining = this.#isStarted(env.WAITS_FOR_RUNNER) && node.miner.enable;
    this.#miner = new Miner({
      chain,
      pool: this.#pool,
      accounts: () => wallet?.accounts() ?? [],
      node,
      connectedPeers: () => 0,
      append: (block, nowMs) => this.#appendForged(block, nowMs),
      appendMicroBlock: (microBlock, nowMs, opened) => this.#appendForgedMicroBlock(microBlock, nowMs, opened),
    });
    this.#publisher = new Publisher({
      store: this.#store,
      readModel: d1Sink(env.DB),
      state: () => this.#publishedState(),
      nowMs: Date.now,
      onRefused: (refusal) => logFault("nothing is published until the next start", refusal.message),
    });
  }

  // Calls of the Worker.

  async broadcast(
    signedTransaction: Uint8Array,
    { isTraced = false }: { readonly isTraced?: boolean } = {},
  ): Promise<BroadcastAnswer> {
    const { minimumPeers } = this.#node;
    if (minimumPeers > 0)
      return { accepted: false, fault: { code: "tooFewPeers", connected: 0, minimum: minimumPeers }, trace: [] };
    const transaction = parseSignedTransaction(signedTransaction, this.#chainId);
    if (this.#unpublished.has(bytesKey(transaction.id))) return { accepted: true, isNew: false, trace: [] };
    const nowMs = Date.now();
    const steps: TraceStep[] | undefined = isTraced ? [] : undefined;
    const traceJson = () => (steps ?? []).map((step) => traceStepJson(step, true));
    try {
      const isNew = this.#pool.add(transaction, this.#chain.view, nowMs, steps && { trace: steps });
      if (isNew) this.#miner.transactionAdded(nowMs);
      await this.#scheduleAlarm();
      return { accepted: true, isNew, trace: traceJson() };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      // A transaction is refused for its own sake: blocks have faults of their own.
      return { accepted: false, fault: error.fault as TransactionFault, trace: traceJson() };
    }
  }

  async validate(signedTransaction: Uint8Array): Promise<ValidationAnswer> {
    const transaction = parseSignedTransaction(signedTransaction, this.#chainId);
    return this.#pool.validate(transaction, this.#chain.view, Date.now());
  }

  async unconfirmedTransactions(): Promise<Uint8Array[]> {
    return [...this.#unpublished.values(), ...this.#pool.allBytes()];
  }

  async unconfirmedCount(): Promise<number> {
    return this.#unpublished.size + this.#pool.size;
  }

  async findUnconfirmed(transactionId: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#unpublished.get(bytesKey(transactionId)) ?? this.#pool.findBytes(transactionId as TransactionId);
  }

  async areUnconfirmed(transactionIds: Uint8Array[]): Promise<boolean[]> {
    return transactionIds.map((id) => this.#unpublished.has(bytesKey(id)) || this.#pool.has(id as TransactionId));
  }

  /** Makes sure that the node is at work: a deployed object sleeps until somebody calls it. */
  async wake(): Promise<void> {
    await this.#publish();
    await this.#scheduleAlarm();
  }

  // Calls of the local runner.

  override fetch(request: Request): Promise<Response> {
    return answerOperator(this, request);
  }

  status(): { readonly height: number } {
    return { height: this.#chain.height };
  }

  async importBlocks(blocks: Uint8Array, toHeight: number | undefined, verified: string): Promise<ImportedBlocks> {
    const imported = importBlocks(this.#chain, blocks, { toHeight, nowMs: Date.now(), verified });
    this.#pool.startCleanUp();
    await this.#publisher.drain();
    return imported;
  }

  async finishImport(): Promise<void> {
    await this.#publisher.drain();
  }

  async start({ mining }: { readonly mining: boolean }): Promise<void> {
    this.#store.putMeta("miningFor", mining ? (this.env.WAITS_FOR_RUNNER ?? "") : "");
    this.#isMining = mining && this.#node.miner.enable;
    await this.#publisher.drain();
    await this.#scheduleAlarm();
  }

  /** Whether the runner of this start has said that the node may mine: the object may have been evicted since. */
  #isStarted(runner: string | undefined): boolean {
    return runner === undefined || this.#store.findMeta("miningFor") === runner;
  }

  // Time.

  override async alarm(): Promise<void> {
    this.#wakeMs = undefined;
    const nowMs = Date.now();
    try {
      if (this.#isMining) this.#miner.run(nowMs);
      this.#pool.cleanUp(this.#chain.view, nowMs);
    } catch (error) {
      // An alarm that throws would be repeated at once; the miner has its own pause before the next try.
      logFault("the alarm failed", error);
    }
    await this.#publish();
    await this.#scheduleAlarm();
  }

  #appendForged(block: Block, nowMs: number): void {
    const { discarded } = this.#chain.appendBlock(block, { nowMs, verifySignatures: true });
    this.#leavePool(block.transactions);
    this.#pool.returnDiscarded(discarded, this.#chain.view);
  }

  #appendForgedMicroBlock(microBlock: MicroBlock, nowMs: number, opened: OpenedMicroBlock): void {
    this.#chain.appendOwnMicroBlock(microBlock, opened, nowMs);
    this.#leavePool(microBlock.transactions);
  }

  #leavePool(transactions: readonly Transaction[]): void {
    for (const transaction of transactions)
      this.#unpublished.set(bytesKey(transaction.id), encodeProtobuf(transaction));
    this.#pool.removeAll(transactions);
  }

  /** Brings the read model up to date. A database that does not answer is tried again by alarm. */
  async #publish(): Promise<void> {
    const leaving = [...this.#unpublished.keys()];
    try {
      await this.#publisher.drain();
      for (const key of leaving) this.#unpublished.delete(key);
    } catch (error) {
      logFault("the read model was not updated", error);
    }
  }

  /** Sets the alarm to the earliest thing to do. */
  async #scheduleAlarm(): Promise<void> {
    const nowMs = Date.now();
    const due = [
      this.#isMining ? this.#miner.nextWakeMs(nowMs) : undefined,
      this.#pool.hasCleanUp ? nowMs + NEXT_SLICE_MS : undefined,
      this.#publisher.hasWork ? nowMs + PUBLISH_RETRY_MS : undefined,
    ].filter((dueMs) => dueMs !== undefined);
    if (due.length === 0) return;
    const wakeMs = Math.max(Math.min(...due), nowMs);
    if (this.#wakeMs !== undefined && this.#wakeMs <= wakeMs && this.#wakeMs > nowMs) return;
    this.#wakeMs = wakeMs;
    await this.ctx.storage.setAlarm(wakeMs);
  }

  #publishedState(): PublishedState {
    const { id, height } = this.#chain.tip();
    return {
      version: `${encodeBase58(id)}:${this.#chain.liquidStep()}`,
      epoch: Number(this.#store.findMeta("epoch") ?? 0),
      height,
    };
  }
}

function openWallet(seed: string | undefined, chainId: number, accounts: number): Wallet | undefined {
  return seed === undefined || seed === "" ? undefined : new Wallet({ seed: decodeBase58(seed), chainId, accounts });
}

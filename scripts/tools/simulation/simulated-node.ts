/** A node without a network: chain, pool and miner over a database in memory, and a clock that only moves when told. */
import { Chain, type OpenedMicroBlock } from "../../../durable/chain/chain.ts";
import { Miner, type MinerStep } from "../../../durable/miner/miner.ts";
import { SqlPoolStorage } from "../../../durable/pool/sql-pool-storage.ts";
import { type AddOptions, UtxPool } from "../../../durable/pool/utx-pool.ts";
import { Wallet } from "../../../durable/wallet/wallet.ts";
import { utxDefaults } from "../../../src/network/defaults.ts";
import { privateNetwork, privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings, NodeSettings, UtxSettings } from "../../../src/network/settings.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { type TestDatabase, testStore } from "../sqlite/test-store.ts";

export interface SimulationOptions {
  readonly blockchain?: BlockchainSettings;
  readonly node?: NodeSettings;
  readonly utx?: Partial<UtxSettings>;
  readonly startMs: number;
  readonly connectedPeers?: () => number;
  /** With ChainState's tables; by default a new one. */
  readonly database?: TestDatabase;
}

export class SimulatedNode {
  readonly database: TestDatabase;
  readonly chain: Chain;
  readonly wallet: Wallet;
  readonly pool: UtxPool;
  readonly miner: Miner;
  nowMs: number;
  readonly keyBlocks: Block[] = [];
  readonly microBlocks: { readonly microBlock: MicroBlock; readonly atMs: number }[] = [];

  constructor({ blockchain = privateNetwork.blockchain, node = privateNetwork.node, ...options }: SimulationOptions) {
    const { store, database } = testStore(options.database);
    this.database = database;
    this.nowMs = options.startMs;
    this.chain = new Chain({
      store,
      settings: blockchain,
      transaction: database.transaction,
      maxRollbackDepth: node.maxRollbackDepth,
      keeps: node,
    });
    this.chain.ensureGenesis(this.nowMs);
    this.wallet = new Wallet({
      seed: privateNetworkSecrets.walletSeed,
      chainId: blockchain.chainId,
      accounts: node.walletAccounts,
    });
    this.pool = new UtxPool({
      settings: { ...utxDefaults, ...options.utx },
      chainId: blockchain.chainId,
      storage: new SqlPoolStorage(database),
    });
    this.miner = new Miner({
      chain: this.chain,
      pool: this.pool,
      accounts: () => this.wallet.accounts(),
      node,
      connectedPeers: options.connectedPeers ?? (() => 0),
      append: (block) => this.append(block),
      appendMicroBlock: (microBlock, _, opened) => this.#appendMicroBlock(microBlock, opened),
    });
  }

  append(block: Block): void {
    const { discarded } = this.chain.appendBlock(block, { nowMs: this.nowMs, verifySignatures: true });
    this.pool.removeAll(block.transactions);
    this.pool.returnDiscarded(discarded, this.chain.view);
    this.keyBlocks.push(block);
  }

  broadcast(transaction: Transaction, options?: AddOptions): boolean {
    const isNew = this.pool.add(transaction, this.chain.view, this.nowMs, options);
    if (isNew) this.miner.transactionAdded(this.nowMs);
    return isNew;
  }

  /** Lets the clock go to the miner's next wake and runs it there. */
  step(): MinerStep {
    const wakeMs = this.miner.nextWakeMs(this.nowMs);
    if (wakeMs === undefined) throw new Error("the miner waits for nothing");
    this.nowMs = Math.max(this.nowMs, wakeMs);
    return this.miner.run(this.nowMs);
  }

  /** Lets the miner work until the time has come. */
  advanceTo(timeMs: number): void {
    for (;;) {
      const wakeMs = this.miner.nextWakeMs(this.nowMs);
      if (wakeMs === undefined || wakeMs > timeMs) break;
      this.nowMs = Math.max(this.nowMs, wakeMs);
      this.miner.run(this.nowMs);
      while (this.pool.cleanUp(this.chain.view, this.nowMs));
    }
    this.nowMs = Math.max(this.nowMs, timeMs);
  }

  /** Mines until there are as many blocks. */
  mineTo(height: number): void {
    while (this.chain.height < height) this.step();
  }

  #appendMicroBlock(microBlock: MicroBlock, opened: OpenedMicroBlock): void {
    this.chain.appendOwnMicroBlock(microBlock, opened, this.nowMs);
    this.pool.removeAll(microBlock.transactions);
    this.pool.startCleanUp();
    this.microBlocks.push({ microBlock, atMs: this.nowMs });
  }
}

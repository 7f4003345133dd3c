/** A node without a network: an in-memory database, a clock that only the caller moves, and seeded random numbers. */
import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import type { Miner, MinerStep } from "../../durable/chain-state/miner/miner.ts";
import { Node } from "../../durable/chain-state/node.ts";
import type { AddOptions, UtxPool } from "../../durable/chain-state/pool/utx-pool.ts";
import type { FinalBlockSink } from "../../durable/chain-state/publish/final-block-writer.ts";
import type { ReadModelSink } from "../../durable/chain-state/publish/read-model-sink.ts";
import type { Wallet } from "../../durable/chain-state/wallet/wallet.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import { utxDefaults } from "../../src/network/defaults.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import type { BlockchainSettings, NodeSettings, UtxSettings } from "../../src/network/settings.ts";
import type { Block, MicroBlock } from "../../src/protocol/blocks/block.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { ChainListener } from "../../src/rpc/chain-for-peers.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type TestDatabase, testDatabase } from "../sqlite/test-database.ts";

export interface SimulationOptions {
  readonly blockchain?: BlockchainSettings;
  readonly node?: NodeSettings;
  readonly utx?: Partial<UtxSettings>;
  /** Dev chain: its owner may change the state; the rules are still those of `blockchain`. */
  readonly isDevChain?: true | undefined;
  readonly startMs: number;
  readonly connectedPeers?: () => number;
  /** Default: none. */
  readonly peers?: ChainListener | undefined;
  /** Default: an empty one. */
  readonly database?: TestDatabase;
  readonly random?: RandomSource;
  /** Default: rows are discarded. */
  readonly readModel?: ReadModelSink;
  /** Default: final blocks are discarded. */
  readonly finalBlocks?: FinalBlockSink;
  /** Called with the time at which the node wants to wake, ms; a simulation asks the miner itself. */
  readonly wakeAt?: (timeMs: number) => Promise<void>;
}

export class SimulatedNode {
  readonly database: TestDatabase;
  readonly node: Node;
  nowMs: number;
  readonly keyBlocks: Block[] = [];
  readonly microBlocks: { readonly microBlock: MicroBlock; readonly atMs: number }[] = [];

  constructor({ blockchain = privateNetwork.blockchain, node = privateNetwork.node, ...options }: SimulationOptions) {
    const { isDevChain } = options;
    const random = new SeededRandom("simulation");
    this.database = options.database ?? testDatabase();
    this.nowMs = options.startMs;
    this.node = new Node({
      settings: {
        name: "simulation",
        blockchain,
        node: withPool(node, options.utx ?? {}),
        ...(isDevChain && { isDevChain }),
      },
      walletSeed: privateNetworkSecrets.walletSeed,
      database: this.database,
      readModel: options.readModel ?? nowhere,
      finalBlocks: options.finalBlocks,
      nowMs: () => this.nowMs,
      random: options.random ?? ((sizeBytes) => random.bytes(sizeBytes)),
      wakeAt: options.wakeAt ?? (async () => {}),
      connectedPeers: options.connectedPeers ?? (() => 0),
      peers: options.peers,
    });
    this.node.mine(true);
  }

  get chain(): Chain {
    return this.node.chain;
  }

  get height(): number {
    return this.chain.view.height;
  }

  get pool(): UtxPool {
    return this.node.pool;
  }

  /** Wallet of the private network. */
  get wallet(): Wallet {
    if (this.node.wallet === undefined) throw new Error("a simulated node has a wallet");
    return this.node.wallet;
  }

  get miner(): Miner {
    return this.node.miner;
  }

  /** Appends a block that was not forged by `step`. */
  append(block: Block): void {
    this.node.append(block);
    this.keyBlocks.push(block);
  }

  broadcast(transaction: Transaction, options?: AddOptions): boolean {
    const isNew = this.pool.add(transaction, this.chain.view, this.nowMs, options);
    if (isNew) this.miner.transactionsAdded(1, this.nowMs);
    return isNew;
  }

  /** Moves the clock to the miner's next wake and lets the node work. */
  step(): MinerStep {
    const wakeMs = this.miner.nextWakeMs(this.nowMs);
    if (wakeMs === undefined) throw new Error("the miner waits for nothing");
    this.nowMs = Math.max(this.nowMs, wakeMs);
    return this.work();
  }

  /** Lets the node work until the given time. */
  advanceTo(timeMs: number): void {
    for (;;) {
      const wakeMs = this.miner.nextWakeMs(this.nowMs);
      if (wakeMs === undefined || wakeMs > timeMs) break;
      this.nowMs = Math.max(this.nowMs, wakeMs);
      this.work();
    }
    this.nowMs = Math.max(this.nowMs, timeMs);
  }

  /** Mines up to the height. */
  mineTo(height: number): void {
    while (this.height < height) this.step();
  }

  /** Runs the work that is due now. */
  work(): MinerStep {
    const step = this.node.step();
    while (this.pool.hasCleanUp) this.pool.cleanUp(this.chain.view, this.nowMs);
    if (step.kind === "keyBlock") this.keyBlocks.push(step.block);
    if (step.kind === "microBlock") this.microBlocks.push({ microBlock: step.microBlock, atMs: this.nowMs });
    return step;
  }
}

/**
 * The settings with other pool settings. Inherits from the original, so that its getters are still read on each access.
 */
function withPool(node: NodeSettings, utx: Partial<UtxSettings>): NodeSettings {
  return Object.create(node, { utx: { value: { ...utxDefaults, ...utx }, enumerable: true } }) as NodeSettings;
}

const nowhere: ReadModelSink = { batch: async (statements) => statements.map(() => []) };

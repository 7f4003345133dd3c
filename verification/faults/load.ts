/** Load on a node with faults: transactions of every type, blocks and branches of others, calls of the owner. */
import type { ImportedBlocks } from "../../durable/chain-state/chain/import-blocks.ts";
import { concatBytes } from "../../src/crypto/bytes.ts";
import type { Block, MicroBlock } from "../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import { encodeProtobuf } from "../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../src/protocol/transactions/format-error.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { allTransactionGenerators, makeTransaction } from "../chain-generator/all-transaction-generators.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import type { AcceptedTransactions } from "./accepted-transactions.ts";
import type { GeneratedWorld } from "./generated-world.ts";
import { Rival } from "./rival.ts";
import type { TaskResult } from "./simulated-object.ts";

/** The node under load. */
export interface LoadedNode {
  /** Simulated time, ms. */
  readonly nowMs: number;
  /** The node, for reading; undefined when it cannot start. */
  look(): Promise<SimulatedNode | undefined>;
  execute<T>(label: string, run: (node: SimulatedNode) => T | Promise<T>): Promise<TaskResult<T>>;
  /** Advances the time and runs the events that are due. */
  advance(ms: number): Promise<void>;
  /** Advances the time without events, as on a busy machine. */
  skipTo(timeMs: number): void;
  breach(message: string): void;
}

interface Action {
  readonly weight: number;
  readonly run: () => Promise<void>;
}

const manyTransactions = 5;
const shortMs = 2_500;
const longMs = 60_000;
const deepestFork = 8;
/** Longest branch; sent even if it is not better by then. */
const longestBranch = 14;

export class Load {
  readonly #loaded: LoadedNode;
  readonly #world: GeneratedWorld;
  readonly #random: SeededRandom;
  readonly #accepted: AcceptedTransactions;
  readonly #rival: Rival;
  readonly #transactionGenerators: ReturnType<typeof allTransactionGenerators>;
  readonly #actions: readonly Action[];

  constructor(options: {
    readonly loaded: LoadedNode;
    readonly world: GeneratedWorld;
    readonly random: SeededRandom;
    readonly accepted: AcceptedTransactions;
    /** Makes a rival at genesis. */
    readonly makeRival: () => SimulatedNode;
  }) {
    this.#loaded = options.loaded;
    this.#world = options.world;
    this.#random = options.random;
    this.#accepted = options.accepted;
    this.#transactionGenerators = allTransactionGenerators(options.world.network.variant);
    this.#rival = new Rival(options.makeRival(), options.makeRival);
    const action = (weight: number, run: () => Promise<void>): Action => ({ weight, run });
    this.#actions = [
      action(12, () => this.#pay()),
      action(10, () => this.#loaded.advance(this.#random.between(1, shortMs))),
      action(3, () => this.#loaded.advance(this.#random.between(shortMs, longMs))),
      action(2, () => this.#nextBlock()),
      action(2, () => this.#microBlocks()),
      action(2, () => this.#branch()),
      action(1, () => this.#revert()),
      action(1, () => this.#import()),
      action(2, () => this.#garbage()),
      action(1, () => this.#again()),
    ];
  }

  step(): Promise<void> {
    return this.#random.pickByWeight(this.#actions).run();
  }

  async #pay(): Promise<void> {
    for (let count = this.#random.between(1, manyTransactions); count > 0; count--) {
      const node = await this.#loaded.look();
      const transaction = node && this.#make(node);
      if (transaction !== undefined) await this.#broadcast(transaction);
    }
  }

  async #broadcast(transaction: Transaction): Promise<void> {
    const outcome = await this.#loaded.execute("a transaction", ({ node }) =>
      node.poolCalls.broadcastAll([{ signedTransaction: encodeProtobuf(transaction) }]),
    );
    const result = outcome.kind === "done" ? outcome.value[0] : undefined;
    if (result !== undefined && result !== "failed" && result.accepted) this.#accepted.add(transaction);
  }

  #make({ chain }: SimulatedNode): Transaction | undefined {
    const transactionGenerators = this.#world.chainWorld(chain.view, this.#random, () => this.#loaded.nowMs);
    try {
      return makeTransaction(this.#transactionGenerators, transactionGenerators);
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  }

  /** Sends a block on the tip, or on an earlier form of it. */
  async #nextBlock(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined) return;
    const [block] = this.#forge(node.height, 1);
    if (block !== undefined) await this.#loaded.execute("a block", (loaded) => loaded.node.append(block));
  }

  async #microBlocks(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined) return;
    const rival = this.#rival.node;
    const [block] = this.#forge(node.height, 1);
    if (block === undefined) return;
    const forged = rival.microBlocks.length;
    this.#broadcastToRival(manyTransactions);
    for (let tries = 0; rival.pool.size > 0 && rival.height === node.height + 1 && tries < 3; tries++) rival.step();
    const keyBlock = rival.keyBlocks.findLast(({ header }) => header.timestamp === block.header.timestamp) ?? block;
    this.#loaded.skipTo(rival.nowMs);
    await this.#loaded.execute("a block", (loaded) => loaded.node.append(keyBlock));
    for (const { microBlock } of rival.microBlocks.slice(forged)) await this.#appendMicroBlock(microBlock);
  }

  async #appendMicroBlock(microBlock: MicroBlock): Promise<void> {
    await this.#loaded.execute("a micro-block", (loaded) => loaded.node.appendMicroBlock(microBlock));
    if (this.#random.boolean(0.3)) await this.#loaded.advance(this.#random.between(1, shortMs));
  }

  /** Sends a branch, mostly one with a higher score than the blocks it replaces. */
  async #branch(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined || node.height < 3) return;
    const depth = this.#random.between(1, Math.min(deepestFork, node.height - 2));
    const root = node.height - depth;
    const length = this.#random.boolean(0.2) ? depth : longestBranch;
    const score = node.chain.forks.score();
    const blocks = this.#forge(root, length, score);
    if (this.#random.boolean(0.7)) {
      await this.#loaded.execute(`a branch of ${blocks.length} from ${root}`, (loaded) =>
        loaded.node.appendBranch(blocks),
      );
      return;
    }
    for (const block of blocks)
      await this.#loaded.execute("a block of a branch", (loaded) => loaded.node.append(block));
  }

  async #revert(): Promise<void> {
    const node = await this.#loaded.look();
    if (node === undefined || node.height < 3) return;
    const height = node.height - this.#random.between(1, Math.min(deepestFork, node.height - 2));
    const isForced = this.#random.boolean(0.5);
    await this.#loaded.execute(`a revert to ${height}`, (loaded) => loaded.node.revert(height, { isForced }));
  }

  async #import(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined) return;
    const { chainId } = node.chain.view.settings;
    const blocks = this.#forge(node.height, this.#random.between(1, deepestFork));
    const file = concatBytes(...blocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId))));
    await this.#loaded.execute(
      `an import of ${blocks.length} blocks`,
      (loaded): Promise<ImportedBlocks> => loaded.node.importBlocks(file),
    );
  }

  /** Sends invalid data. */
  async #garbage(): Promise<void> {
    const node = await this.#loaded.look();
    if (node === undefined) return;
    const { chain } = node;
    const random = this.#random;
    const block = chain.stored.findBlock(random.between(Math.max(1, node.height - 2), node.height)) as Block;
    const { header } = block;
    const later = { ...block, header: { ...header, timestamp: header.timestamp + 1n } };
    const sends: readonly (() => Promise<unknown>)[] = [
      () => this.#loaded.execute("a block that it has", (loaded) => loaded.node.append(block)),
      () => this.#loaded.execute("a block with another's signature", (loaded) => loaded.node.append(later)),
      () => this.#loaded.execute("a branch of nothing new", (loaded) => loaded.node.appendBranch([block])),
      () => this.#sendBrokenBytes(node),
    ];
    await random.pick(sends)();
  }

  async #sendBrokenBytes(node: SimulatedNode): Promise<void> {
    const transaction = this.#make(node);
    if (transaction === undefined) return;
    const signedTransaction = encodeProtobuf(transaction).slice();
    signedTransaction[this.#random.below(signedTransaction.length)] = this.#random.below(256);
    await this.#loaded.execute("a transaction with a wrong byte", (loaded) =>
      loaded.node.poolCalls.broadcastAll([{ signedTransaction }]),
    );
  }

  /** Repeats a broadcast, like a client without a response. */
  async #again(): Promise<void> {
    const sent = this.#accepted.all();
    if (sent.length > 0) await this.#broadcast(this.#random.pick(sent));
  }

  /** The node, after its rival has copied its chain. */
  async #followed(): Promise<SimulatedNode | undefined> {
    const node = await this.#loaded.look();
    if (node === undefined) return undefined;
    try {
      this.#rival.follow(node, this.#loaded.nowMs);
      return node;
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      this.#loaded.breach(`another node refuses the chain: ${JSON.stringify(error.violation, bigintText)}`);
      return undefined;
    }
  }

  /**
   * Blocks of the rival above a height.
   * @param count limit; fewer when the branch's score exceeds `score`
   */
  #forge(height: number, count: number, score?: bigint): readonly Block[] {
    const { chain } = this.#rival.node;
    const isEnough = (): boolean => {
      const { height: reached } = this.#rival.node;
      if (reached - height >= count) return true;
      if (score !== undefined && reached > height && chain.forks.score() > score) return true;
      if (reached > height && this.#random.boolean(0.3)) this.#broadcastToRival(2);
      return false;
    };
    const blocks = this.#rival.branch(height, isEnough);
    this.#loaded.skipTo(this.#rival.node.nowMs);
    return blocks;
  }

  /** Gives the rival its own transactions, and some that the node has, too. */
  #broadcastToRival(count: number): void {
    const { node } = this.#rival;
    const known = this.#accepted.all();
    for (let left = count; left > 0; left--) {
      const transaction = known.length > 0 && this.#random.boolean(0.4) ? this.#random.pick(known) : this.#make(node);
      try {
        if (transaction !== undefined) node.broadcast(transaction);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
      }
    }
  }
}

function bigintText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

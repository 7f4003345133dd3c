/** What a node is asked while faults befall it: transactions of every type, blocks and branches of others, an owner's calls. */
import type { ImportedBlocks } from "../../../durable/chain/import-blocks.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-faults.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { allMakers, makeTransaction } from "../chain-maker/all-makers.ts";
import type { SeededRandom } from "../chain-maker/seeded-random.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import type { AcceptedTransactions } from "./accepted-transactions.ts";
import type { MadeWorld } from "./made-world.ts";
import { Rival } from "./rival.ts";
import type { Outcome } from "./simulated-object.ts";

/** The node that is asked. */
export interface LoadedNode {
  /** The world's time, ms. */
  readonly nowMs: number;
  /** The node, for looking; undefined where it cannot come into memory. */
  look(): Promise<SimulatedNode | undefined>;
  ask<T>(what: string, run: (node: SimulatedNode) => T | Promise<T>): Promise<Outcome<T>>;
  /** Lets time pass, and what is due happen. */
  advance(ms: number): Promise<void>;
  /** Lets time pass while nothing happens: the machine was busy. */
  skipTo(timeMs: number): void;
  breach(sentence: string): void;
}

interface Action {
  readonly weight: number;
  readonly run: () => Promise<void>;
}

const manyTransactions = 5;
const shortMs = 2_500;
const longMs = 60_000;
const deepestFork = 8;
/** A branch that is not better by then is offered as it is. */
const longestBranch = 14;

export class Load {
  readonly #loaded: LoadedNode;
  readonly #world: MadeWorld;
  readonly #random: SeededRandom;
  readonly #accepted: AcceptedTransactions;
  readonly #rival: Rival;
  readonly #makers: ReturnType<typeof allMakers>;
  readonly #actions: readonly Action[];

  constructor(facts: {
    readonly loaded: LoadedNode;
    readonly world: MadeWorld;
    readonly random: SeededRandom;
    readonly accepted: AcceptedTransactions;
    /** At genesis. */
    readonly makeRival: () => SimulatedNode;
  }) {
    this.#loaded = facts.loaded;
    this.#world = facts.world;
    this.#random = facts.random;
    this.#accepted = facts.accepted;
    this.#makers = allMakers(facts.world.network.variant);
    this.#rival = new Rival(facts.makeRival(), facts.makeRival);
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
    const outcome = await this.#loaded.ask("a transaction", ({ node }) =>
      node.poolCalls.broadcastAll([{ signedTransaction: encodeProtobuf(transaction) }]),
    );
    const answer = outcome.kind === "done" ? outcome.value[0] : undefined;
    if (answer !== undefined && answer !== "failed" && answer.accepted) this.#accepted.add(transaction);
  }

  #make({ chain }: SimulatedNode): Transaction | undefined {
    const makers = this.#world.makers(chain.view, this.#random, () => this.#loaded.nowMs);
    try {
      return makeTransaction(this.#makers, makers);
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  }

  /** A block on the tip, or on an earlier form of it. */
  async #nextBlock(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined) return;
    const [block] = this.#forge(node.height, 1);
    if (block !== undefined) await this.#loaded.ask("a block", (asked) => asked.node.append(block));
  }

  async #microBlocks(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined) return;
    const rival = this.#rival.node;
    const [block] = this.#forge(node.height, 1);
    if (block === undefined) return;
    const forged = rival.microBlocks.length;
    this.#offerToRival(manyTransactions);
    for (let tries = 0; rival.pool.size > 0 && rival.height === node.height + 1 && tries < 3; tries++) rival.step();
    const keyBlock = rival.keyBlocks.findLast(({ header }) => header.timestamp === block.header.timestamp) ?? block;
    this.#loaded.skipTo(rival.nowMs);
    await this.#loaded.ask("a block", (asked) => asked.node.append(keyBlock));
    for (const { microBlock } of rival.microBlocks.slice(forged)) await this.#appendMicroBlock(microBlock);
  }

  async #appendMicroBlock(microBlock: MicroBlock): Promise<void> {
    await this.#loaded.ask("a micro-block", (asked) => asked.node.appendMicroBlock(microBlock));
    if (this.#random.chance(0.3)) await this.#loaded.advance(this.#random.between(1, shortMs));
  }

  /** Mostly one that weighs more than what stands in its place. */
  async #branch(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined || node.height < 3) return;
    const depth = this.#random.between(1, Math.min(deepestFork, node.height - 2));
    const root = node.height - depth;
    const length = this.#random.chance(0.2) ? depth : longestBranch;
    const score = node.chain.forks.score();
    const blocks = this.#forge(root, length, score);
    if (this.#random.chance(0.7)) {
      await this.#loaded.ask(`a branch of ${blocks.length} from ${root}`, (asked) => asked.node.appendBranch(blocks));
      return;
    }
    for (const block of blocks) await this.#loaded.ask("a block of a branch", (asked) => asked.node.append(block));
  }

  async #revert(): Promise<void> {
    const node = await this.#loaded.look();
    if (node === undefined || node.height < 3) return;
    const height = node.height - this.#random.between(1, Math.min(deepestFork, node.height - 2));
    const isForced = this.#random.chance(0.5);
    await this.#loaded.ask(`a revert to ${height}`, (asked) => asked.node.revert(height, { isForced }));
  }

  async #import(): Promise<void> {
    const node = await this.#followed();
    if (node === undefined) return;
    const { chainId } = node.chain.view.settings;
    const blocks = this.#forge(node.height, this.#random.between(1, deepestFork));
    const file = concatBytes(...blocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId))));
    await this.#loaded.ask(
      `an import of ${blocks.length} blocks`,
      (asked): Promise<ImportedBlocks> => asked.node.importBlocks(file),
    );
  }

  /** What nobody honest sends. */
  async #garbage(): Promise<void> {
    const node = await this.#loaded.look();
    if (node === undefined) return;
    const { chain } = node;
    const random = this.#random;
    const block = chain.stored.findBlock(random.between(Math.max(1, node.height - 2), node.height)) as Block;
    const { header } = block;
    const later = { ...block, header: { ...header, timestamp: header.timestamp + 1n } };
    const sends: readonly (() => Promise<unknown>)[] = [
      () => this.#loaded.ask("a block that it has", (asked) => asked.node.append(block)),
      () => this.#loaded.ask("a block with another's signature", (asked) => asked.node.append(later)),
      () => this.#loaded.ask("a branch of nothing new", (asked) => asked.node.appendBranch([block])),
      () => this.#sendBrokenBytes(node),
    ];
    await random.pick(sends)();
  }

  async #sendBrokenBytes(node: SimulatedNode): Promise<void> {
    const transaction = this.#make(node);
    if (transaction === undefined) return;
    const signedTransaction = encodeProtobuf(transaction).slice();
    signedTransaction[this.#random.below(signedTransaction.length)] = this.#random.below(256);
    await this.#loaded.ask("a transaction with a wrong byte", (asked) =>
      asked.node.poolCalls.broadcastAll([{ signedTransaction }]),
    );
  }

  /** A client that has heard nothing sends once more. */
  async #again(): Promise<void> {
    const sent = this.#accepted.all();
    if (sent.length > 0) await this.#broadcast(this.#random.pick(sent));
  }

  /** The node, once its rival has taken over its chain. */
  async #followed(): Promise<SimulatedNode | undefined> {
    const node = await this.#loaded.look();
    if (node === undefined) return undefined;
    try {
      this.#rival.follow(node, this.#loaded.nowMs);
      return node;
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      this.#loaded.breach(`another node refuses the chain: ${JSON.stringify(error.fault, bigintText)}`);
      return undefined;
    }
  }

  /**
   * Blocks of the rival above a height.
   * @param count how many, or fewer once they weigh more than the score
   */
  #forge(height: number, count: number, score?: bigint): readonly Block[] {
    const { chain } = this.#rival.node;
    const isEnough = (): boolean => {
      const { height: reached } = this.#rival.node;
      if (reached - height >= count) return true;
      if (score !== undefined && reached > height && chain.forks.score() > score) return true;
      if (reached > height && this.#random.chance(0.3)) this.#offerToRival(2);
      return false;
    };
    const blocks = this.#rival.branch(height, isEnough);
    this.#loaded.skipTo(this.#rival.node.nowMs);
    return blocks;
  }

  /** Transactions of its own, and some that the node has, too. */
  #offerToRival(count: number): void {
    const { node } = this.#rival;
    const known = this.#accepted.all();
    for (let left = count; left > 0; left--) {
      const transaction = known.length > 0 && this.#random.chance(0.4) ? this.#random.pick(known) : this.#make(node);
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

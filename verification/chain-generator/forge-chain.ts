/**
 * Forges a chain with a simulated clock: accounts send generated transactions, generators alternate, micro-blocks are
 * appended and sometimes dropped by the next key block.
 */

import { privateNetwork } from "../../src/network/networks/private.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import { FormatError } from "../../src/protocol/transactions/format-error.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { ChainListener } from "../../src/rpc/chain-for-peers.ts";
import { SimulatedNode } from "../simulation/simulated-node.ts";
import { allTransactionGenerators, makeTransaction } from "./all-transaction-generators.ts";
import { ChainWorld } from "./chain-world.ts";
import { challengeAt } from "./challenges.ts";
import { type GeneratedAccounts, makeAccounts } from "./generated-accounts.ts";
import { type ChainVariant, type GeneratedNetwork, makeNetwork, supportedAt } from "./generated-network.ts";
import { SeededRandom } from "./seeded-random.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

export interface ChainOptions {
  readonly variant: ChainVariant;
  readonly seed: number;
  /** Height to reach. */
  readonly blocks: number;
  /** Number of blocks that challenge others, if as many can; default: none. */
  readonly challenges?: number | undefined;
  /** Notified of chain events. */
  readonly peers?: ChainListener;
}

/** An existing network with its accounts. */
export interface ForgeOptions {
  readonly network: GeneratedNetwork;
  readonly accounts: GeneratedAccounts;
  readonly random: SeededRandom;
  /** Height to reach. */
  readonly blocks: number;
  /** Height of the first block that may contain transactions; default: 2. */
  readonly busyFrom?: number;
  /** Generators of its transactions; default: all kinds. */
  readonly transactionGenerators?: readonly TransactionGenerator[] | undefined;
  /** See `ChainOptions`. */
  readonly challenges?: number | undefined;
  /** Notified of chain events. */
  readonly peers?: ChainListener | undefined;
}

export interface GeneratedChain {
  readonly network: GeneratedNetwork;
  /** Blocks from height 2 on. */
  readonly blocks: readonly Block[];
  readonly microBlocks: number;
  /** Transactions in micro-blocks that the next key block dropped. */
  readonly discarded: number;
  /** Transactions that the pool refused, by error code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Blocks that challenge others. */
  readonly challenges: number;
  /** The forging node, with its accounts. */
  readonly node: SimulatedNode;
  readonly world: ChainWorld;
}

/** Longest pause between two bursts of transactions. */
const pauseMs = 2_500;
const burst = 4;
const rewardVotes: readonly (bigint | undefined)[] = [undefined, 500_000_000n, 600_000_000n, 700_000_000n];

export function forgeChain({ variant, seed, blocks, challenges, peers }: ChainOptions): GeneratedChain {
  const random = new SeededRandom(`${variant}/${seed}`);
  const { chainId } = privateNetwork.blockchain;
  const accounts = makeAccounts(seed, chainId);
  const network = makeNetwork(variant, seed, { blocks, random, accounts });
  return forgeOn({ network, accounts, random, blocks, challenges, peers });
}

export function forgeOn(options: ForgeOptions): GeneratedChain {
  const {
    network,
    accounts,
    random,
    blocks,
    busyFrom = 2,
    transactionGenerators = allTransactionGenerators(network.variant),
    peers,
  } = options;
  const { blockchain, node: settings } = network.settings;
  const node = new SimulatedNode({
    blockchain,
    peers,
    startMs: Number(blockchain.genesis.blockTimestampMs),
    node: {
      ...settings,
      // Generators vote differently, and change their votes.
      get desiredReward() {
        return random.pick(rewardVotes);
      },
      get supportedFeatures() {
        return supportedAt(network, node.chain.view.height);
      },
    },
  });
  const world = new ChainWorld({ view: node.chain.view, random, accounts, nowMs: () => node.nowMs });
  const refused: Record<string, number> = {};
  const toChallenge = challengeHeights(blocks, options.challenges ?? 0);
  let challenges = 0;
  for (let height = node.chain.view.height; height < blocks; height = node.chain.view.height) {
    const isBusy = height + 1 >= busyFrom;
    for (let count = isBusy ? random.below(burst) : 0; count > 0; count--) {
      // Peers' transactions are not run to their end on arrival, so they may fail later, in a block.
      const execution = random.boolean(0.5) ? "limited" : "strict";
      const code = broadcast(node, () => makeTransaction(transactionGenerators, world), execution);
      if (code !== undefined) refused[code] = (refused[code] ?? 0) + 1;
    }
    node.advanceTo(node.nowMs + random.between(1, pauseMs));
    const [target] = toChallenge;
    // Only after the next key block has closed it.
    if (target !== undefined && node.chain.view.height > target) {
      toChallenge.shift();
      if (challengeAt(target, { node, accounts, random })) challenges++;
    }
  }
  return {
    network,
    blocks: Array.from({ length: blocks - 1 }, (_, index) => node.chain.stored.findBlock(index + 2) as Block),
    microBlocks: node.microBlocks.length,
    challenges,
    discarded: transactionsForged(node) - transactionsInChain(node),
    refused,
    node,
    world,
  };
}

/** Heights spread over the second half; the last one is that of the penultimate block. */
function challengeHeights(blocks: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => blocks - 1 - Math.floor((index * blocks) / (2 * count))).reverse();
}

/** @returns the error code, when no such transaction is possible, or the pool refuses it */
function broadcast(node: SimulatedNode, make: () => Transaction, execution: "limited" | "strict"): string | undefined {
  let label = "not made";
  try {
    const transaction = make();
    label = `${transaction.type} v${transaction.version}`;
    node.broadcast(transaction, { execution });
    return undefined;
  } catch (error) {
    if (error instanceof RuleError || error instanceof FormatError) return `${label}: ${error.violation.code}`;
    throw error;
  }
}

function transactionsForged({ keyBlocks, microBlocks }: SimulatedNode): number {
  const inMicroBlocks = microBlocks.reduce((sum, { microBlock }) => sum + microBlock.transactions.length, 0);
  return keyBlocks.reduce((sum, { transactions }) => sum + transactions.length, inMicroBlocks);
}

function transactionsInChain({ chain }: SimulatedNode): number {
  let count = 0;
  for (let height = 2; height <= chain.view.height; height++) count += [...chain.stored.transactionsAt(height)].length;
  return count;
}

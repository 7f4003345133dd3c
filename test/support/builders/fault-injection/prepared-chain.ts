/** Chain with a liquid tip and a pool, and blocks of other nodes of its network on it. */

import { concatBytes } from "../../../../src/crypto/bytes.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { SimulatedNode, type SimulationOptions } from "../../../../verification/simulation/simulated-node.ts";
import { signedTransfer } from "../signed-transfer.ts";

const startMs = 1_700_000_000_000;
const { blockchain, node: nodeSettings } = privateNetwork;
/** A block that follows earlier leaves the last micro-block out. */
const minMicroBlockAgeMs = 1_500;
const settings = { ...nodeSettings, miner: { ...nodeSettings.miner, minMicroBlockAgeMs } };

/** Node with its own random generator, so that its blocks differ from the others'. */
export function nodeOf(name: string, options: Partial<SimulationOptions> = {}): SimulatedNode {
  const random = new SeededRandom(name);
  return new SimulatedNode({ startMs, node: settings, random: (sizeBytes) => random.bytes(sizeBytes), ...options });
}

export interface PreparedChain {
  /** Node whose tip has two micro-blocks, with two transactions in its pool. */
  readonly node: SimulatedNode;
  /** Key block on the tip. */
  readonly next: Block;
  /** Key block on the tip as it was before its last micro-block. */
  readonly onEarlierForm: Block;
  /** Block that competes with the tip. */
  readonly competitor: Block;
  readonly microBlock: MicroBlock;
  /** Branch from two below the tip. */
  readonly branch: readonly Block[];
  /** Blocks on the tip, as in a block file. */
  readonly file: Uint8Array;
  /** Transfer that the node does not know. */
  readonly transfer: Transaction;
  /** Other transfers, for one batch. */
  readonly transfers: readonly Transaction[];
  /** Time at which all of the above exist, ms. */
  readonly latestMs: number;
}

export function prepareChain(): PreparedChain {
  const node = preparedNode();
  const tip = node.height;
  const { nowMs } = node;
  const [common] = node.microBlocks.at(-2)?.microBlock.transactions ?? [];
  if (common === undefined) throw new Error("the tip has no micro-blocks");

  const next = copyOf(node, "next", tip - 1, 2);
  next.nowMs += minMicroBlockAgeMs;
  const earlier = copyOf(node, "earlier", tip - 1, 1);
  earlier.nowMs += minMicroBlockAgeMs;
  const competitor = copyOf(node, "competitor", tip - 1);
  competitor.nowMs = startMs;
  const extended = copyOf(node, "extended", tip - 1, 2);
  appendAll(extended, [transferAt(nowMs + 3, 8n)]);
  const branch = copyOf(node, "branch", tip - 2);
  for (const transaction of [common, transferAt(nowMs + 4, 9n)]) branch.broadcast(transaction);
  branch.mineTo(tip + 2);
  const imported = copyOf(node, "file", tip - 1, 2);
  for (let amount = 10n; amount < 16n; amount++) {
    appendAll(imported, [transferAt(imported.nowMs, amount)]);
    mineKeyBlock(imported);
  }
  for (const amount of [20n, 21n]) node.broadcast(transferAt(nowMs, amount));
  return {
    node,
    next: mineKeyBlock(next),
    onEarlierForm: mineKeyBlock(earlier),
    competitor: mineKeyBlock(competitor),
    microBlock: (extended.microBlocks.at(-1) as { microBlock: MicroBlock }).microBlock,
    branch: blocksOf(branch, tip - 1),
    file: recordsOf(blocksOf(imported, tip + 1)),
    transfer: transferAt(nowMs, 30n),
    transfers: [31n, 32n, 33n].map((amount) => transferAt(nowMs, amount)),
    latestMs: Math.max(...[node, next, earlier, extended, branch, imported].map((other) => other.nowMs)),
  };
}

/** Node whose tip has two micro-blocks and is late, so that another block may be better. */
function preparedNode(): SimulatedNode {
  const node = nodeOf("first");
  node.mineTo(3);
  appendAll(node, [transferAt(node.nowMs, 3_000_000n)]);
  node.mineTo(5);
  node.nowMs = (node.miner.nextWakeMs(node.nowMs) as number) + 100_000;
  node.work();
  const { height } = node;
  node.nowMs = Number(node.chain.stored.tip().timestamp);
  appendAll(node, [transferAt(node.nowMs, 5n), transferAt(node.nowMs + 1, 6n)]);
  appendAll(node, [transferAt(node.nowMs + 2, 7n)]);
  if (node.height !== height || node.chain.stored.microBlockCount() !== 2) throw new Error("the tip is another one");
  return node;
}

function transferAt(timestampMs: number, amount: bigint): Transaction {
  return signedTransfer({ timestamp: BigInt(timestampMs), amount });
}

function blocksOf({ chain }: SimulatedNode, from: number): readonly Block[] {
  const count = chain.view.height - from + 1;
  return Array.from({ length: count }, (_, index) => chain.stored.findBlock(from + index) as Block);
}

/** Another node with the same blocks up to a height, and the first micro-blocks of the tip above it. */
function copyOf(node: SimulatedNode, name: string, height: number, microBlocks?: number): SimulatedNode {
  const copy = nodeOf(name);
  copy.nowMs = node.nowMs;
  for (const block of blocksOf(node, 2).slice(0, height - 1)) copy.append(block);
  if (microBlocks === undefined) return copy;
  copy.append(node.keyBlocks.at(-1) as Block);
  for (const { microBlock } of node.microBlocks.slice(-2).slice(0, microBlocks)) copy.node.appendMicroBlock(microBlock);
  return copy;
}

function mineKeyBlock(node: SimulatedNode): Block {
  for (;;) {
    const step = node.step();
    if (step.kind === "keyBlock") return step.block;
  }
}

function appendAll(node: SimulatedNode, transactions: readonly Transaction[]): void {
  for (const transaction of transactions) node.broadcast(transaction);
  while (node.pool.size > 0) node.step();
}

function recordsOf(blocks: readonly Block[]): Uint8Array {
  return concatBytes(...blocks.map((block) => encodeBlockRecord(encodeBlock(block, blockchain.chainId))));
}

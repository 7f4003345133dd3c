/**
 * The liquid block: a key block with its micro-blocks so far. Each micro-block makes it a block of its own, with a new
 * header, signature and id.
 * @source docs/protocol/consensus-and-finality.md 1.8; Waves: state/NgState.scala,
 *   mining/microblocks/MicroBlockMinerImpl.scala
 */

import { sign, verify } from "../../crypto/curve25519.ts";
import type { Digest, PrivateKey } from "../../crypto/identities.ts";
import { EMPTY_MERKLE_TREE, type MerkleTree } from "../../crypto/merkle.ts";
import type { RandomSource } from "../../crypto/random.ts";
import { microBlockSignedBytes } from "../messages/micro-block.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Block, BlockHeader, FinalizationVoting, MicroBlock } from "./block.ts";
import { BlockVersion } from "./block-version.ts";
import { signBlock } from "./build-block.ts";
import { accumulateVoting } from "./finalization-voting.ts";
import { blockId } from "./parse-block.ts";
import { merkleMessage, transactionsTree } from "./transactions-root.ts";

export interface LiquidBlock {
  readonly block: Block;
  /** Over the block's transactions: grows with each micro-block instead of being built again. */
  readonly transactionsTree: MerkleTree;
}

/** What a micro-block adds. */
interface Extension {
  readonly transactions: readonly Transaction[];
  readonly stateHash: Digest | undefined;
  readonly finalizationVoting: FinalizationVoting | undefined;
}

/** The liquid block that a key block begins. Cost: hashes its transactions (under NG there are none). */
export function liquidBlock(keyBlock: Block): LiquidBlock {
  const { header, transactions } = keyBlock;
  const isProtobuf = header.version >= BlockVersion.Protobuf;
  return { block: keyBlock, transactionsTree: isProtobuf ? transactionsTree(transactions) : EMPTY_MERKLE_TREE };
}

/**
 * The liquid block after a micro-block. Whether the micro-block belongs there and is valid is not looked at; the id of
 * the result must equal the micro-block's `totalBlockId`, and its signature must be the generator's.
 */
export function extendLiquidBlock(liquid: LiquidBlock, microBlock: MicroBlock, chainId: number): LiquidBlock {
  const { header, transactions, transactionsTree } = extend(liquid, microBlock);
  const signature = microBlock.totalBlockSignature;
  const id = blockId({ header, signature }, chainId);
  return { block: { header, signature, id, transactions }, transactionsTree };
}

/** A micro-block on top of the liquid block, and the liquid block that it makes. Both are signed. */
export function buildMicroBlock({
  liquid,
  extension,
  privateKey,
  chainId,
  random,
}: {
  readonly liquid: LiquidBlock;
  readonly extension: Extension;
  /** Of the liquid block's generator. */
  readonly privateKey: PrivateKey;
  readonly chainId: number;
  readonly random: RandomSource;
}): { readonly microBlock: MicroBlock; readonly liquid: LiquidBlock } {
  const { header, transactions, transactionsTree } = extend(liquid, extension);
  const block = signBlock({ header, transactions, privateKey, chainId, random });
  const unsigned = {
    version: header.version,
    reference: liquid.block.id,
    totalBlockSignature: block.signature,
    sender: header.generator,
    ...extension,
  };
  const signature = sign(privateKey, microBlockSignedBytes(unsigned), random(64));
  return { microBlock: { ...unsigned, signature, totalBlockId: block.id }, liquid: { block, transactionsTree } };
}

/** Whether the sender signed the micro-block; the accumulated block's signature is a matter of its own. */
export function hasValidMicroBlockSignature(microBlock: MicroBlock): boolean {
  return verify(microBlock.signature, microBlockSignedBytes(microBlock), microBlock.sender);
}

function extend(
  { block, transactionsTree }: LiquidBlock,
  added: Extension,
): { header: BlockHeader; transactions: readonly Transaction[]; transactionsTree: MerkleTree } {
  const grown = growTree(transactionsTree, block.header, added.transactions);
  return {
    header: {
      ...block.header,
      transactionsRoot: block.header.version >= BlockVersion.Protobuf ? grown.root() : undefined,
      stateHash: added.stateHash,
      finalizationVoting: accumulateVoting(block.header.finalizationVoting, added.finalizationVoting),
    },
    transactions: [...block.transactions, ...added.transactions],
    transactionsTree: grown,
  };
}

// PERF: an own micro-block is built, and then appended like any other; a half of what it costs to forge one are these hashes.
const grownTrees = new WeakMap<readonly Transaction[], { readonly from: MerkleTree; readonly to: MerkleTree }>();

/** Made once for each list on the same tree: lists of transactions do not change. */
function growTree(tree: MerkleTree, { version }: BlockHeader, transactions: readonly Transaction[]): MerkleTree {
  if (version < BlockVersion.Protobuf) return tree;
  const known = grownTrees.get(transactions);
  if (known?.from === tree) return known.to;
  const grown = tree.append(transactions.map(merkleMessage));
  grownTrees.set(transactions, { from: tree, to: grown });
  return grown;
}

/**
 * The liquid block: a key block with its micro-blocks so far. After each micro-block it is a new block, with its own
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
  /** Tree over the block's transactions, extended with each micro-block instead of rebuilt. */
  readonly transactionsTree: MerkleTree;
}

/** Content that a micro-block adds. */
interface Extension {
  readonly transactions: readonly Transaction[];
  readonly stateHash: Digest | undefined;
  readonly finalizationVoting: FinalizationVoting | undefined;
}

/** The liquid block that a key block starts. Cost: hashes its transactions (with NG there are none). */
export function liquidBlock(keyBlock: Block): LiquidBlock {
  const { header, transactions } = keyBlock;
  const isProtobuf = header.version >= BlockVersion.Protobuf;
  return { block: keyBlock, transactionsTree: isProtobuf ? transactionsTree(transactions) : EMPTY_MERKLE_TREE };
}

/**
 * The liquid block after a micro-block. The micro-block is not validated. The caller must check that the id of the
 * result equals the micro-block's `totalBlockId`, and that the signature is the generator's.
 */
export function extendLiquidBlock(liquid: LiquidBlock, microBlock: MicroBlock, chainId: number): LiquidBlock {
  const { header, transactions, transactionsTree } = extend(liquid, microBlock);
  const signature = microBlock.totalBlockSignature;
  const id = blockId({ header, signature }, chainId);
  return { block: { header, signature, id, transactions }, transactionsTree };
}

/** Builds a micro-block on top of the liquid block, and the resulting liquid block. Both are signed. */
export function buildMicroBlock({
  liquid,
  extension,
  privateKey,
  chainId,
  random,
}: {
  readonly liquid: LiquidBlock;
  readonly extension: Extension;
  /** Key of the liquid block's generator. */
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

/** Whether the sender signed the micro-block; does not cover the signature of the accumulated block. */
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

// PERF: an own micro-block is built, and then appended like any other; these hashes are half of the cost of forging
// one.
const grownTrees = new WeakMap<readonly Transaction[], { readonly from: MerkleTree; readonly to: MerkleTree }>();

/** Extends a tree, with one result cached for each list: lists of transactions are immutable. */
function growTree(tree: MerkleTree, { version }: BlockHeader, transactions: readonly Transaction[]): MerkleTree {
  if (version < BlockVersion.Protobuf) return tree;
  const known = grownTrees.get(transactions);
  if (known?.from === tree) return known.to;
  const grown = tree.append(transactions.map(merkleMessage));
  grownTrees.set(transactions, { from: tree, to: grown });
  return grown;
}

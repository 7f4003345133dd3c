/**
 * Limits of a block.
 * @source docs/protocol/consensus-and-finality.md 1.7; Waves: mining/MiningConstraints.scala,
 * state/BlockchainUpdaterImpl.scala, block/Block.scala
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";

/** Limits on all transactions of a block, its micro-blocks included; undefined: no limit of this kind. */
export interface BlockLimits {
  readonly transactions: number | undefined;
  /** Sum of the sizes of the transactions' bytes. */
  readonly sizeBytes: number | undefined;
  /** Sum of the complexities of the scripts that run. */
  readonly scriptComplexity: number | undefined;
  /** Most transactions that a miner puts into a key block. */
  readonly keyBlockTransactions: number;
}

/** Limits of the genesis block. */
export const noLimits: BlockLimits = {
  transactions: undefined,
  sizeBytes: undefined,
  scriptComplexity: undefined,
  keyBlockTransactions: 0,
};

/**
 * Limits of a received block after the parent. The state before the parent decides: the parent is still the reference's
 * liquid block when the next one comes.
 */
export function blockLimits(parentHeight: number, features: FeatureActivation): BlockLimits {
  return limitsInForce(parentHeight - 1, features);
}

/**
 * Limits of an own block after the parent: the state at the parent decides as well. The reference fills its blocks by
 * these limits, and validates by them competing blocks at the tip and the first block after its start.
 */
export function ownBlockLimits(parentHeight: number, features: FeatureActivation): BlockLimits {
  const atParent = limitsInForce(parentHeight, features);
  const before = limitsInForce(parentHeight - 1, features);
  return {
    transactions: lower(atParent.transactions, before.transactions),
    sizeBytes: lower(atParent.sizeBytes, before.sizeBytes),
    scriptComplexity: lower(atParent.scriptComplexity, before.scriptComplexity),
    keyBlockTransactions: atParent.keyBlockTransactions,
  };
}

function limitsInForce(height: number, features: FeatureActivation): BlockLimits {
  const limitsSize = features.isActive(Feature.MassTransfer, height);
  const hasMicroBlocks = features.isActive(Feature.Ng, height);
  const hasDApps = features.isActive(Feature.Ride4DApps, height);
  const hasNestedCalls = features.isActive(Feature.SynchronousCalls, height);
  return {
    transactions: limitsSize ? undefined : hasMicroBlocks ? 6_000 : 100,
    sizeBytes: limitsSize ? 1_048_576 : undefined,
    scriptComplexity: hasDApps ? (hasNestedCalls ? 2_500_000 : 1_000_000) : undefined,
    keyBlockTransactions: hasMicroBlocks ? 0 : 100,
  };
}

function lower(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Math.min(left, right);
}

/**
 * How much fits into a block.
 * @source spec/consensus-and-finality.md 1.7; Waves: mining/MiningConstraints.scala, block/Block.scala
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

/** Limits of the block after the parent: what is in force at the parent decides. */
export function blockLimits(parentHeight: number, features: FeatureActivation): BlockLimits {
  const limitsSize = features.isActive(Feature.MassTransfer, parentHeight);
  const hasMicroBlocks = features.isActive(Feature.Ng, parentHeight);
  const hasDApps = features.isActive(Feature.Ride4DApps, parentHeight);
  const hasNestedCalls = features.isActive(Feature.SynchronousCalls, parentHeight);
  return {
    transactions: limitsSize ? undefined : hasMicroBlocks ? 6_000 : 100,
    sizeBytes: limitsSize ? 1_048_576 : undefined,
    scriptComplexity: hasDApps ? (hasNestedCalls ? 2_500_000 : 1_000_000) : undefined,
    keyBlockTransactions: hasMicroBlocks ? 0 : 100,
  };
}

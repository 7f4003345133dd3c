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
  const isActive = (feature: number): boolean => features.isActive(feature, parentHeight);
  const limitsSize = isActive(Feature.MassTransfer);
  return {
    transactions: limitsSize ? undefined : isActive(Feature.Ng) ? 6_000 : 100,
    sizeBytes: limitsSize ? 1_048_576 : undefined,
    scriptComplexity: isActive(Feature.Ride4DApps)
      ? isActive(Feature.SynchronousCalls)
        ? 2_500_000
        : 1_000_000
      : undefined,
    keyBlockTransactions: isActive(Feature.Ng) ? 0 : 100,
  };
}

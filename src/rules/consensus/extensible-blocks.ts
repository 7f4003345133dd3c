/**
 * Which blocks are extended by micro-blocks. The block after the height at which feature 2 comes into force is the first
 * whose generator gets two fifths of the fees and leaves the rest to the next one: from there on a micro-block and the
 * whole block that others get pay the same. The reference's miner begins one block later, with the first that also brings
 * its generator the rest of its parent's fees. (Its appender takes micro-blocks from the day on which the feature is
 * approved; on blocks before these the whole block would pay otherwise, and the chain would fork.)
 * @source Waves: mining/Miner.scala (ngEnabled), state/diffs/BlockDiffer.scala (fromBlockTraced, fromMicroBlockTraced),
 *   state/BlockchainUpdaterImpl.scala (processMicroBlock)
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { BlockHeader } from "../../protocol/blocks/block.ts";

/** The block that is to be extended. */
export interface ExtendedBlock {
  readonly height: number;
  readonly header: Pick<BlockHeader, "challengedHeader">;
}

/** Whether micro-blocks of its generator are taken, whoever that is. */
export function takesMicroBlocks({ height, header }: ExtendedBlock, features: FeatureActivation): boolean {
  return features.isActive(Feature.Ng, height - 1) && header.challengedHeader === undefined;
}

/** Whether a generator extends its block. */
export function isExtendedByGenerator({ height, header }: ExtendedBlock, features: FeatureActivation): boolean {
  return takesMicroBlocks({ height: height - 1, header }, features);
}

/**
 * Blocks that micro-blocks may extend. The block after the activation height of feature 2 is the first whose generator
 * gets two fifths of the fees and leaves the rest to the next one: from there on micro-blocks and whole blocks pay the
 * same fees. The reference's miner begins one block later, with the first block whose generator also gets the rest of
 * its parent's fees. (Its appender accepts micro-blocks from the approval of the feature on; on earlier blocks the
 * whole block would pay other fees, and the chain would fork.)
 * @source Waves: mining/Miner.scala (ngEnabled), state/diffs/BlockDiffer.scala (fromBlockTraced, fromMicroBlockTraced),
 * state/BlockchainUpdaterImpl.scala (processMicroBlock)
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { BlockHeader } from "../../protocol/blocks/block.ts";

/** The block to extend. */
export interface ExtendedBlock {
  readonly height: number;
  readonly header: Pick<BlockHeader, "challengedHeader">;
}

/** Whether micro-blocks of the block's generator are accepted. */
export function acceptsMicroBlocks({ height, header }: ExtendedBlock, features: FeatureActivation): boolean {
  return features.isActive(Feature.Ng, height - 1) && header.challengedHeader === undefined;
}

/** Whether a generator extends its own block. */
export function isExtendedByGenerator({ height, header }: ExtendedBlock, features: FeatureActivation): boolean {
  return acceptsMicroBlocks({ height: height - 1, header }, features);
}

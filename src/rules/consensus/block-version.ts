/**
 * Required version of a block.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: state/Blockchain.scala blockVersionAt
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";
import { BlockVersion, type BlockVersionNumber } from "../../protocol/blocks/block-version.ts";

/** Data of a chain that decides the form of a block. */
export interface BlockVersionContext {
  readonly height: number;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}

/** Version of the block at the height. Genesis blocks have version 1 in every network, whatever is active there. */
export function expectedBlockVersion(context: BlockVersionContext): BlockVersionNumber {
  const { height, features, functionality } = context;
  if (height <= 1) return BlockVersion.Genesis;
  if (features.isActive(Feature.BlockV5, height)) return BlockVersion.Protobuf;
  if (features.isActive(Feature.BlockReward, height)) {
    // One block late: the reference still makes version 3 at the height of activation.
    return features.activationHeight(Feature.BlockReward) === height ? BlockVersion.Ng : BlockVersion.Reward;
  }
  // A 32-bit integer, as in the reference: the highest height is followed by the lowest.
  return height > ((functionality.blockVersion3AfterHeight + 1) | 0) ? BlockVersion.Ng : BlockVersion.Plain;
}

/**
 * Whether a header carries the fields of feature 22 (state hash, challenged header): from some blocks after activation.
 * @source Waves: state/Blockchain.scala supportsLightNodeBlockFields
 */
export function hasLightNodeFields(context: BlockVersionContext): boolean {
  const activation = context.features.activationHeight(Feature.LightNode);
  // A 32-bit integer, as in the reference: with an interval that is meant to never end the sum wraps around.
  return (
    activation !== undefined &&
    context.height >= ((activation + context.functionality.lightNodeBlockFieldsAbsenceInterval) | 0)
  );
}

/**
 * Whether a block is possible at the height. With feature 22 before feature 15, headers must carry fields that their
 * form does not have, and no node accepts such a block from a peer (docs/decisions, 14).
 */
export function isBlockPossible(context: BlockVersionContext): boolean {
  return !hasLightNodeFields(context) || expectedBlockVersion(context) >= BlockVersion.Protobuf;
}

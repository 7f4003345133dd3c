/**
 * The version that a block must have.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: state/Blockchain.scala blockVersionAt
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";
import { BlockVersion, type BlockVersionNumber } from "../../protocol/blocks/block-version.ts";

/** What of a chain decides the form of a block. */
export interface BlockPlace {
  readonly height: number;
  readonly features: FeatureActivation;
  readonly functionality: FunctionalitySettings;
}

/** Version of the block at the height. The genesis block of every network is of version 1, whatever is in force there. */
export function expectedBlockVersion(facts: BlockPlace): BlockVersionNumber {
  const { height, features, functionality } = facts;
  if (height <= 1) return BlockVersion.Genesis;
  if (features.isActive(Feature.BlockV5, height)) return BlockVersion.Protobuf;
  if (features.isActive(Feature.BlockReward, height)) {
    // One block late: the reference still makes version 3 at the height of activation.
    return features.activationHeight(Feature.BlockReward) === height ? BlockVersion.Ng : BlockVersion.Reward;
  }
  // As a 32-bit integer, like the reference: after the highest of all heights comes the lowest.
  return height > ((functionality.blockVersion3AfterHeight + 1) | 0) ? BlockVersion.Ng : BlockVersion.Plain;
}

/**
 * Whether a header carries the fields of feature 22 (state hash, challenged header): from some blocks after activation.
 * @source Waves: state/Blockchain.scala supportsLightNodeBlockFields
 */
export function hasLightNodeFields(facts: BlockPlace): boolean {
  const activation = facts.features.activationHeight(Feature.LightNode);
  // As a 32-bit integer, like the reference: an interval that is meant to never end lets the sum wrap around.
  return (
    activation !== undefined &&
    facts.height >= ((activation + facts.functionality.lightNodeBlockFieldsAbsenceInterval) | 0)
  );
}

/**
 * Whether a block can be made at the height: where feature 22 came before feature 15, headers must carry what their form
 * has no place for, and no node takes such a block from another (docs/decisions, 14).
 */
export function isBlockPossible(place: BlockPlace): boolean {
  return !hasLightNodeFields(place) || expectedBlockVersion(place) >= BlockVersion.Protobuf;
}

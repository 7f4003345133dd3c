/**
 * Features that the chain activates and this release does not implement. The chain stops there: its rules for every
 * later block would differ from the network's.
 * @source Waves: state/BlockchainUpdaterImpl.scala (processBlock, featuresApprovedWithBlock)
 */
import { implementedFeatures } from "../../network/features.ts";

/**
 * Unimplemented active features at the height, ascending. The reference with its default settings stops at the
 * activation block, and keeps the chain up to the block before.
 * @param activations activation height of each decided feature
 */
export function unimplementedFeatures(height: number, activations: ReadonlyMap<number, number>): readonly number[] {
  return [...activations]
    .filter(([feature, activation]) => activation <= height && !implementedFeatures.has(feature))
    .map(([feature]) => feature)
    .sort((left, right) => left - right);
}

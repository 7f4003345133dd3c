/**
 * Features that the chain brings into force and this release does not have: there the chain stops, since every block
 * after would be judged by other rules than the network's.
 * @source Waves: state/BlockchainUpdaterImpl.scala (processBlock, featuresApprovedWithBlock)
 */
import { implementedFeatures } from "../../network/features.ts";

/**
 * Those in force at the height, ascending. The reference with its default settings goes down when it gets the block of
 * activation, and keeps the chain up to the block before.
 * @param activations heights from which each decided feature is in force
 */
export function unimplementedFeatures(height: number, activations: ReadonlyMap<number, number>): readonly number[] {
  return [...activations]
    .filter(([feature, activation]) => activation <= height && !implementedFeatures.has(feature))
    .map(([feature]) => feature)
    .sort((left, right) => left - right);
}

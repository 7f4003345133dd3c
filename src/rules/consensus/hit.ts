/**
 * Hit: a generator's draw for the next block. The lower it is, the sooner the generator may sign.
 * @source docs/protocol/consensus-and-finality.md 1.2; Waves: consensus/PoSSelector.scala
 */
import { Feature, type FeatureActivation } from "../../network/features.ts";

/** Size of the hit: first bytes of the hit source. */
const hitSizeBytes = 8;

/** Under Fair PoS the hit source is this many blocks deeper: a generator cannot steer its next hits. */
const hitSourceDepth = 100;

/** Highest possible hit. */
export const maximumHit = (1n << BigInt(8 * hitSizeBytes)) - 1n;

/**
 * @param source generation signature (32 bytes) or VRF output (32 bytes) of the generator
 * @returns its first 8 bytes, least significant first
 */
export function hitOf(source: Uint8Array): bigint {
  if (source.length < hitSizeBytes) {
    throw new RangeError(`a hit source has at least ${hitSizeBytes} bytes, got ${source.length}`);
  }
  return new DataView(source.buffer, source.byteOffset, hitSizeBytes).getBigUint64(0, true);
}

/** Height of the block whose stored hit source gives the next hits. */
export function hitSourceHeight(parentHeight: number, features: FeatureActivation): number {
  const deep = features.isActive(Feature.FairPos, parentHeight) && parentHeight > hitSourceDepth;
  return deep ? parentHeight - hitSourceDepth : parentHeight;
}

/** Whether VRF (version 5) instead of the chain of generation signatures selects the generator of the next block. */
export function isVrfActive(parentHeight: number, features: FeatureActivation): boolean {
  return features.isActive(Feature.BlockV5, parentHeight + 1);
}

/** Whether VRF proofs by weak (small-order) public keys are refused. */
export function refusesWeakVrfKeys(parentHeight: number, features: FeatureActivation): boolean {
  return features.isActive(Feature.RideV6, parentHeight);
}

/**
 * Finalization of a block's parent: its endorsers hold two thirds of the balance of all generators.
 * @source docs/protocol/consensus-and-finality.md 3.8; Waves 1.6: state/FinalizationState.scala,
 * block/FinalizationVoting.scala
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import type { FinalizationVoting } from "../../protocol/blocks/block.ts";
import type { GeneratorSet } from "./generator-set.ts";

/** Whether the endorsed balance is enough, both in wavelets. In whole numbers: 7 of 11 is not. */
export function isTwoThirds(endorsed: bigint, total: bigint): boolean {
  return endorsed * 3n >= total * 2n;
}

/**
 * Whether the block finalizes its parent. Its generator endorses the parent by the block itself; generators with
 * conflicts in the voting count neither as endorsers nor in the total. Without a voting the generator alone must hold
 * two thirds.
 * @param voting of the block, verified and complete, with that of earlier micro-blocks
 */
export function isParentFinalized(
  set: GeneratorSet,
  generator: Address,
  voting: FinalizationVoting | undefined,
): boolean {
  const weights = weightsWithout(set, voting);
  const endorsers = new Set(voting?.endorserIndexes);
  let total = 0n;
  let endorsed = 0n;
  for (const { index, address } of set.committed) {
    const weight = weights[index] as bigint;
    if (weight === 0n) continue;
    total += weight;
    if (endorsers.has(index) || equalBytes(address, generator)) endorsed += weight;
  }
  return total > 0n && isTwoThirds(endorsed, total);
}

/** Weights of the set by index, with 0 for the conflicts in the block's own voting. */
export function weightsWithout({ weights }: GeneratorSet, voting: FinalizationVoting | undefined): readonly bigint[] {
  if (voting === undefined || voting.conflictEndorsements.length === 0) return weights;
  const conflicting = new Set(voting.conflictEndorsements.map(({ endorserIndex }) => endorserIndex));
  return weights.map((weight, index) => (conflicting.has(index) ? 0n : weight));
}

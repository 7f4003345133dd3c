/**
 * When a block finalizes its parent: the generators who have endorsed it hold two thirds of what all of them hold.
 * @source docs/protocol/consensus-and-finality.md 3.8; Waves 1.6: state/FinalizationState.scala,
 *   block/FinalizationVoting.scala
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import type { FinalizationVoting } from "../../protocol/blocks/block.ts";
import type { GeneratorSet } from "./generator-set.ts";

/** Whether it is enough, wavelets both. In whole numbers: 7 of 11 is not. */
export function isTwoThirds(endorsed: bigint, total: bigint): boolean {
  return endorsed * 3n >= total * 2n;
}

/**
 * Whether the block finalizes its parent. Its generator endorses that by the block itself; whoever the voting says has
 * contradicted itself counts neither for it nor in the total. Without any voting it is so where the generator holds two thirds alone.
 * @param voting of the block, verified; all of it, that of earlier micro-blocks included
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

/** The weights of the set less those that contradict themselves by the block's own voting, by index. */
export function weightsWithout({ weights }: GeneratorSet, voting: FinalizationVoting | undefined): readonly bigint[] {
  if (voting === undefined || voting.conflictEndorsements.length === 0) return weights;
  const conflicting = new Set(voting.conflictEndorsements.map(({ endorserIndex }) => endorserIndex));
  return weights.map((weight, index) => (conflicting.has(index) ? 0n : weight));
}

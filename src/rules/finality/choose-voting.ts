/**
 * Which endorsements a generator puts into its next micro-block: the conflicts that its block does not list yet, and the least
 * number of endorsers with which the block finalizes its parent, once there are enough.
 * @source docs/protocol/consensus-and-finality.md 3.6, 3.7; Waves 1.6: state/EndorsementStorage.scala
 *   (tryCollectAndClear), state/EndorsementFilter.scala (simulate)
 */
import { aggregateSignatures, type BlsSignature, isSumOfNothing } from "../../crypto/bls.ts";
import type { FinalizationVoting } from "../../protocol/blocks/block.ts";
import { accumulateVoting } from "../../protocol/blocks/finalization-voting.ts";
import type { EndorsementPool } from "./endorsement-pool.ts";
import { isTwoThirds, weightsWithout } from "./finalization.ts";
import type { GeneratorSet } from "./generator-set.ts";

export interface VotingChoice {
  readonly pool: EndorsementPool;
  /** Of the block. */
  readonly generators: GeneratorSet;
  /** Of the block so far. */
  readonly voting: FinalizationVoting | undefined;
  readonly maxEndorsers: number;
  /** Adds signatures up; by default on the curve. */
  readonly aggregate?: (signatures: readonly BlsSignature[]) => BlsSignature;
}

/**
 * The voting of the block's next micro-block. It takes the place of the one before, of which the conflicts alone stay: endorsers
 * who are listed already are listed again beside new conflicts.
 * @returns undefined: nothing has changed that it could tell
 */
export function chooseVoting(choice: VotingChoice): FinalizationVoting | undefined {
  const { pool, generators, voting, maxEndorsers, aggregate = aggregateSignatures } = choice;
  const { round } = pool;
  if (round === undefined) return undefined;
  const listedConflicts = new Set(voting?.conflictEndorsements.map(({ endorserIndex }) => endorserIndex));
  const conflictEndorsements = [...pool.conflicts.values()]
    .filter(({ endorserIndex: index }) => index !== round.generator && !listedConflicts.has(index))
    .toSorted((left, right) => left.endorserIndex - right.endorserIndex);
  const conflictsAlone: FinalizationVoting = {
    endorserIndexes: [],
    finalizedHeight: round.finalizedHeight,
    aggregatedEndorsementSignature: undefined,
    conflictEndorsements,
  };
  const weights = weightsWithout(generators, accumulateVoting(voting, conflictsAlone));
  const weightOf = (index: number): bigint => weights[index] ?? 0n;
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const isEnough = (indexes: readonly number[]): boolean =>
    isTwoThirds(
      indexes.reduce((sum, index) => sum + weightOf(index), weightOf(round.generator)),
      total,
    );
  const listed = voting?.endorserIndexes ?? [];
  const isListEnough = isEnough(listed);
  if (conflictEndorsements.length === 0) {
    if (isListEnough) return undefined;
  } else {
    // Where the generator alone has enough, endorsers add nothing.
    if (isEnough([])) return conflictsAlone;
    const isListRight = listed.every((index) => weightOf(index) > 0n);
    if (voting !== undefined && isListRight && isListEnough) return { ...voting, conflictEndorsements };
  }
  const richest = [...pool.valid.keys()]
    .filter((index) => index !== round.generator && weightOf(index) > 0n)
    .toSorted((left, right) => byWeight(weightOf(right), weightOf(left)) || left - right)
    .slice(0, maxEndorsers);
  if (isEnough(richest)) {
    const fewest = fewestOf(richest, isEnough).length;
    // Those whose keys cancel each other have signed nothing together; with one more they have.
    for (const count of fewest < richest.length ? [fewest, fewest + 1] : [fewest]) {
      const endorserIndexes = richest.slice(0, count);
      const signature = aggregate(endorserIndexes.map((index) => pool.valid.get(index) as BlsSignature));
      if (!isSumOfNothing(signature))
        return { ...conflictsAlone, endorserIndexes, aggregatedEndorsementSignature: signature };
    }
  }
  return conflictEndorsements.length === 0 ? undefined : conflictsAlone;
}

function byWeight(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}

/** The first of the indexes, as few as are enough together; all of them are. */
function fewestOf(indexes: readonly number[], isEnough: (indexes: readonly number[]) => boolean): readonly number[] {
  let count = 0;
  while (!isEnough(indexes.slice(0, count))) count += 1;
  return indexes.slice(0, count);
}

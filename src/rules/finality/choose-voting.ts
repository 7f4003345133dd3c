/**
 * Selection of endorsements for a generator's next micro-block: the conflicts that its block does not list yet, and the
 * fewest endorsers that finalize the parent, once there are enough.
 * @source docs/protocol/consensus-and-finality.md 3.6, 3.7; Waves 1.6: state/EndorsementStorage.scala
 * (tryCollectAndClear), state/EndorsementFilter.scala (simulate)
 */
import { aggregateSignatures, type BlsSignature, isSumOfNothing } from "../../crypto/bls.ts";
import type { FinalizationVoting } from "../../protocol/blocks/block.ts";
import { accumulateVoting } from "../../protocol/blocks/finalization-voting.ts";
import type { EndorsementPool } from "./endorsement-pool.ts";
import { isTwoThirds, weightsWithout } from "./finalization.ts";
import type { GeneratorSet } from "./generator-set.ts";

export interface VotingChoice {
  readonly pool: EndorsementPool;
  /** Generators of the block. */
  readonly generators: GeneratorSet;
  /** Voting of the block so far. */
  readonly voting: FinalizationVoting | undefined;
  readonly maxEndorsers: number;
  /** Aggregates signatures; by default on the curve. */
  readonly aggregate?: (signatures: readonly BlsSignature[]) => BlsSignature;
}

/**
 * Voting of the block's next micro-block. It replaces the previous voting, of which only the conflicts stay in force:
 * already listed endorsers are repeated with new conflicts.
 * @returns undefined if there is nothing new to report
 */
export function chooseVoting(choice: VotingChoice): FinalizationVoting | undefined {
  const { pool, generators, voting, maxEndorsers, aggregate = aggregateSignatures } = choice;
  const { round } = pool;
  if (round === undefined) return undefined;
  const listedConflicts = new Set(voting?.conflictEndorsements.map(({ endorserIndex }) => endorserIndex));
  const conflictEndorsements = [...pool.conflicts.values()]
    .filter(({ endorserIndex: index }) => index !== round.generator && !listedConflicts.has(index))
    .toSorted((left, right) => left.endorserIndex - right.endorserIndex);
  const conflictsOnly: FinalizationVoting = {
    endorserIndexes: [],
    finalizedHeight: round.finalizedHeight,
    aggregatedEndorsementSignature: undefined,
    conflictEndorsements,
  };
  const weights = weightsWithout(generators, accumulateVoting(voting, conflictsOnly));
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
    // If the generator alone is enough, endorsers are not needed.
    if (isEnough([])) return conflictsOnly;
    const areAllWeighted = listed.every((index) => weightOf(index) > 0n);
    if (voting !== undefined && areAllWeighted && isListEnough) return { ...voting, conflictEndorsements };
  }
  const richest = [...pool.valid.keys()]
    .filter((index) => index !== round.generator && weightOf(index) > 0n)
    .toSorted((left, right) => byWeight(weightOf(right), weightOf(left)) || left - right)
    .slice(0, maxEndorsers);
  if (isEnough(richest)) {
    const fewest = fewestOf(richest, isEnough).length;
    // Keys that cancel each other out give the signature of nothing; one more endorser breaks that.
    for (const count of fewest < richest.length ? [fewest, fewest + 1] : [fewest]) {
      const endorserIndexes = richest.slice(0, count);
      const signature = aggregate(endorserIndexes.map((index) => pool.valid.get(index) as BlsSignature));
      if (!isSumOfNothing(signature))
        return { ...conflictsOnly, endorserIndexes, aggregatedEndorsementSignature: signature };
    }
  }
  return conflictEndorsements.length === 0 ? undefined : conflictsOnly;
}

function byWeight(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}

/** The shortest prefix of the indexes that is enough; all of them are. */
function fewestOf(indexes: readonly number[], isEnough: (indexes: readonly number[]) => boolean): readonly number[] {
  let count = 0;
  while (!isEnough(indexes.slice(0, count))) count += 1;
  return indexes.slice(0, count);
}

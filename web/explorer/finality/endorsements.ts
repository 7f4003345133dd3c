/**
 * A block's voting, with the generators that it names by index.
 * @source docs/protocol/consensus-and-finality.md 3.7, 3.8
 */
import type { FinalizationVoting, Generator } from "../node/shapes.ts";

export interface Endorser {
  readonly address: string;
  /** Effective balance in wavelets. */
  readonly weight: bigint;
}

/** Conflicting endorsement: one of another chain. */
export interface Contradiction {
  /** Undefined: no generator of the height has this index. */
  readonly address: string | undefined;
  /** Finalized height in the endorsement. */
  readonly height: bigint;
  readonly blockId: string;
}

export interface Endorsements {
  /** The block's generator, whose block counts as an endorsement. Undefined without a commitment. */
  readonly generator: Endorser | undefined;
  /** The other endorsers, in the order of the voting. */
  readonly endorsers: readonly Endorser[];
  readonly contradictions: readonly Contradiction[];
  /** Sum of the generator and the endorsers, wavelets. */
  readonly weight: bigint;
  /** Sum of all generators, wavelets. */
  readonly total: bigint;
  /** `weight` is at least two thirds of `total`, so the block's parent is final. */
  readonly isEnough: boolean;
}

/**
 * Resolves the indexes of a voting.
 * @param generators of the block's height, in their order
 * @param generatorOfBlock its address
 */
export function endorsementsOf(
  voting: FinalizationVoting,
  generators: readonly Generator[],
  generatorOfBlock: string,
): Endorsements {
  const endorserOf = ({ address, balance = 0n }: Generator): Endorser => ({ address, weight: balance });
  const own = generators.find(({ address }) => address === generatorOfBlock);
  const generator = own && endorserOf(own);
  const endorsers = (voting.endorserIndexes ?? []).flatMap((index) => {
    const named = generators[Number(index)];
    return named === undefined ? [] : [endorserOf(named)];
  });
  const contradictions = (voting.conflictEndorsements ?? []).map(
    ({ endorserIndex, finalizedHeight, finalizedBlockId }) => ({
      address: generators[Number(endorserIndex)]?.address,
      height: finalizedHeight,
      blockId: finalizedBlockId,
    }),
  );
  const weight = endorsers.reduce((sum, each) => sum + each.weight, generator?.weight ?? 0n);
  const total = generators.reduce((sum, { balance = 0n }) => sum + balance, 0n);
  return { generator, endorsers, contradictions, weight, total, isEnough: total > 0n && weight * 3n >= total * 2n };
}

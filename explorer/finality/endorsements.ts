/**
 * What the voting of a block says, with the generators whom it names by their places.
 * @source docs/protocol/consensus-and-finality.md 3.7, 3.8
 */
import type { FinalizationVoting, Generator } from "../node/shapes.ts";

export interface Endorser {
  readonly address: string;
  /** Wavelets that count. */
  readonly weight: bigint;
}

/** An endorsement of another chain than this one. */
export interface Contradiction {
  /** Undefined: the node does not know who that is. */
  readonly address: string | undefined;
  /** What the generator took for final. */
  readonly height: bigint;
  readonly blockId: string;
}

export interface Endorsements {
  /** The block's generator, whose block is its endorsement; undefined: it has not committed itself. */
  readonly generator: Endorser | undefined;
  /** The others, in the order of the voting. */
  readonly endorsers: readonly Endorser[];
  readonly contradictions: readonly Contradiction[];
  /** Of the generator and the endorsers together, wavelets. */
  readonly weight: bigint;
  /** Of all generators, wavelets. */
  readonly total: bigint;
  /** Whether that is two thirds or more: then the block's parent is final. */
  readonly isEnough: boolean;
}

/**
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

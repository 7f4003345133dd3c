/**
 * What generators are asked to endorse while a block is the tip: its parent, whose content is settled by now, together with the
 * block that each of them holds to be final.
 * @source docs/protocol/consensus-and-finality.md 3.5, 3.6; Waves 1.6: state/BlockEndorser.scala,
 *   state/EndorsementFilter.scala
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { BlockId, ConflictEndorsement } from "../../protocol/blocks/block.ts";
import type { StateView } from "../state/state-view.ts";
import { findGenerator, type GeneratorSet } from "./generator-set.ts";

export interface VotingRound {
  readonly finalizedHeight: number;
  readonly finalizedBlockId: BlockId;
  readonly endorsedBlockId: BlockId;
  /** Index of the tip's generator: by its block it endorses the parent. */
  readonly generator: number;
  /** Keys of all who have committed, by index; undefined: it has no vote. */
  readonly endorserKeys: readonly (Uint8Array | undefined)[];
}

/**
 * The round that the view's tip begins.
 * @param generators of the tip
 * @param finalizedHeight that holds while the block is the tip
 * @returns undefined: nobody is asked, as its generator is no committed one, or the parent is final
 */
export function votingRoundOf(
  view: StateView,
  { committed, weights, ...others }: GeneratorSet,
  finalizedHeight: number,
): VotingRound | undefined {
  const tip = view.findHeader(view.height)?.header;
  const finalizedBlockId = view.findHeader(finalizedHeight)?.id;
  const endorsedHeight = view.height - 1;
  if (tip === undefined || finalizedBlockId === undefined) return undefined;
  if (endorsedHeight <= 1 || endorsedHeight <= finalizedHeight) return undefined;
  const address = addressOfPublicKey(tip.generator, view.settings.chainId);
  const generator = findGenerator({ committed, weights, ...others }, address);
  if (generator === undefined) return undefined;
  const endorserKeys = committed.map(({ index, endorserPublicKey }) =>
    (weights[index] as bigint) > 0n ? endorserPublicKey : undefined,
  );
  return { finalizedHeight, finalizedBlockId, endorsedBlockId: tip.reference, generator, endorserKeys };
}

/** Whether both ask for the same signature: what was gathered for one counts for the other, whoever generated its block. */
export function isSameVoting(one: VotingRound | undefined, other: VotingRound | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.finalizedHeight === other.finalizedHeight &&
    equalBytes(one.finalizedBlockId, other.finalizedBlockId) &&
    equalBytes(one.endorsedBlockId, other.endorsedBlockId)
  );
}

/** Why an endorsement has no place in the round, whatever its signature is. */
export type EndorsementFault =
  | "finalizedHeightOutOfRange"
  | "nobodyWithThatIndex"
  /** It has too little, or has contradicted itself. */
  | "endorserHasNoVote"
  | "generatorOfTheBlock";

/** What an endorsement says, as far as the round alone tells. */
export type EndorsementMeaning =
  | { readonly kind: "refused"; readonly fault: EndorsementFault }
  /** It endorses another block on the same final one: it came too early or too late. Or it names what no block can be. */
  | { readonly kind: "beside" }
  /** What the round asks for. */
  | { readonly kind: "valid"; readonly publicKey: Uint8Array }
  /** Its endorser holds another block to be final at the height that is final. */
  | { readonly kind: "conflict"; readonly publicKey: Uint8Array }
  /** Of a lower height: a contradiction where the chain has another block there, and late where it has that one. */
  | { readonly kind: "older"; readonly publicKey: Uint8Array };

/** What an endorsement means in the round. Costs nothing: its signature is not looked at. */
export function meaningOf(round: VotingRound, endorsement: ConflictEndorsement): EndorsementMeaning {
  const { endorserIndex, finalizedHeight } = endorsement;
  const { endorserKeys } = round;
  if (finalizedHeight < 1 || finalizedHeight > round.finalizedHeight) return refused("finalizedHeightOutOfRange");
  if (endorserIndex < 0 || endorserIndex >= endorserKeys.length) return refused("nobodyWithThatIndex");
  if (endorserIndex === round.generator) return refused("generatorOfTheBlock");
  const publicKey = endorserKeys[endorserIndex];
  if (publicKey === undefined) return refused("endorserHasNoVote");
  if (!hasIdsOfBlocks(endorsement)) return { kind: "beside" };
  if (finalizedHeight < round.finalizedHeight) return { kind: "older", publicKey };
  if (!equalBytes(endorsement.finalizedBlockId, round.finalizedBlockId)) return { kind: "conflict", publicKey };
  if (!equalBytes(endorsement.endorsedBlockId, round.endorsedBlockId)) return { kind: "beside" };
  return { kind: "valid", publicKey };
}

/**
 * Whether the ids have lengths that ids have. The signature is over ids and height one behind the other, without their lengths: with
 * other ones an honest generator's endorsement could be cut in other places, and would contradict what it says. The reference takes it so;
 * in a block it counts therefore, but nobody here lists it or passes it on.
 */
function hasIdsOfBlocks({ finalizedBlockId, endorsedBlockId }: ConflictEndorsement): boolean {
  return [finalizedBlockId, endorsedBlockId].every(({ length }) => length === 32 || length === 64);
}

function refused(fault: EndorsementFault): EndorsementMeaning {
  return { kind: "refused", fault };
}

/**
 * Voting round: the object of the endorsements while a block is the tip. Generators endorse its parent, which can no
 * longer change, together with the block that they regard as final.
 * @source docs/protocol/consensus-and-finality.md 3.5, 3.6; Waves 1.6: state/BlockEndorser.scala,
 * state/EndorsementFilter.scala
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
  /** Index of the tip's generator: its block endorses the parent. */
  readonly generator: number;
  /** Keys of all committed generators, by index; undefined for one without a vote. */
  readonly endorserKeys: readonly (Uint8Array | undefined)[];
}

/**
 * Round that the view's tip begins.
 * @param generators of the tip
 * @param finalizedHeight in force while the block is the tip
 * @returns undefined: no voting, because the tip's generator has no commitment, or the parent is final
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

/** Whether both rounds require the same signature: endorsements of one count for the other, whatever the generator. */
export function isSameVoting(one: VotingRound | undefined, other: VotingRound | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.finalizedHeight === other.finalizedHeight &&
    equalBytes(one.finalizedBlockId, other.finalizedBlockId) &&
    equalBytes(one.endorsedBlockId, other.endorsedBlockId)
  );
}

/** Reason to refuse an endorsement in the round, whatever its signature. */
export type EndorsementViolation =
  | "finalizedHeightOutOfRange"
  | "nobodyWithThatIndex"
  /** Too little balance, or a conflict. */
  | "endorserHasNoVote"
  | "generatorOfTheBlock";

/** Class of an endorsement, as far as the round alone decides. */
export type EndorsementClassification =
  | { readonly kind: "refused"; readonly violation: EndorsementViolation }
  /** It endorses another block on the same final one, too early or too late, or it has ids that no block can have. */
  | { readonly kind: "beside" }
  /** Matches the round. */
  | { readonly kind: "valid"; readonly publicKey: Uint8Array }
  /** Its endorser regards another block as final at the finalized height. */
  | { readonly kind: "conflict"; readonly publicKey: Uint8Array }
  /** For a lower height: a conflict if the chain has another block there, late if it has the same one. */
  | { readonly kind: "older"; readonly publicKey: Uint8Array };

/** Classifies an endorsement in the round, without verifying its signature. */
export function classifyEndorsement(round: VotingRound, endorsement: ConflictEndorsement): EndorsementClassification {
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
 * Whether the ids have lengths of block ids. The signature covers the concatenated ids and height without lengths: with
 * other lengths an honest generator's endorsement could be split differently, and would become a conflict. The
 * reference accepts that. Therefore such a conflict counts in a block, but this node neither lists nor relays it.
 */
function hasIdsOfBlocks({ finalizedBlockId, endorsedBlockId }: ConflictEndorsement): boolean {
  return [finalizedBlockId, endorsedBlockId].every(({ length }) => length === 32 || length === 64);
}

function refused(violation: EndorsementViolation): EndorsementClassification {
  return { kind: "refused", violation: violation };
}

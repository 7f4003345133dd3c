/**
 * Verification of the finalization voting of a block, or of a liquid block so far.
 * @source docs/protocol/consensus-and-finality.md 3.7; Waves 1.6: state/appender/package.scala
 * (validateFinalizationVoting)
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import { Feature } from "../../network/features.ts";
import type { BlockHeader, BlockId, FinalizationVoting } from "../../protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../protocol/blocks/finalization-voting.ts";
import type { VotingList, VotingViolation } from "../../protocol/blocks/voting-violation.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { StateView } from "../state/state-view.ts";
import { blsSignatures, type EndorsementSignatures } from "./endorsement-signatures.ts";
import type { GeneratorSet } from "./generator-set.ts";

/** State for the checks of a voting. */
type VotingView = Pick<StateView, "settings" | "isActive" | "findHeader" | "historyFrom">;

/** A block that may carry a voting. */
export interface VotingBlock {
  readonly header: Pick<BlockHeader, "reference" | "generator" | "challengedHeader" | "finalizationVoting">;
  readonly height: number;
  /** Generators at that height. */
  readonly generators: GeneratorSet;
}

/**
 * Checks the block's voting, if it has one. The most expensive checks come last: one signature for each conflict, and
 * one for all endorsers together.
 * @param view has the block's ancestors
 * @throws RuleError votingInvalid
 */
export function verifyVoting(block: VotingBlock, view: VotingView, signatures = blsSignatures): void {
  const { header, height, generators } = block;
  const { finalizationVoting: voting } = header;
  if (voting === undefined) return;
  if (!view.isActive(Feature.DeterministicFinality, height)) refuse({ check: "featureNotActive" });
  if (header.challengedHeader !== undefined) refuse({ check: "inChallengingBlock" });
  checkHeight(voting, height);
  checkLists(voting, view.settings.functionality.maxValidEndorsements);
  const own = addressOfPublicKey(header.generator, view.settings.chainId);
  const generator = generators.committed.find(({ address }) => equalBytes(address, own))?.index;
  const endorserKeys = checkEndorsers(voting, generators, generator);
  checkConflicts(voting, generators, generator, view, signatures);
  verifyAggregatedSignature(voting, endorserKeys, header.reference, view, signatures);
}

function refuse(violation: VotingViolation): never {
  throw new RuleError({ code: "votingInvalid", violation: violation });
}

function checkHeight({ finalizedHeight: got }: FinalizationVoting, height: number): void {
  if (got < 1) refuse({ check: "finalizedHeightTooLow", got });
  // The vote is for the parent.
  const highest = height - 2;
  if (got > highest) refuse({ check: "finalizedHeightTooHigh", highest, got });
}

function checkLists({ endorserIndexes, conflictEndorsements }: FinalizationVoting, allowed: number): void {
  if (endorserIndexes.length === 0 && conflictEndorsements.length === 0) refuse({ check: "nothingListed" });
  const got = endorserIndexes.length;
  if (got > allowed) refuse({ check: "tooManyEndorsers", allowed, got });
  checkDistinct("endorsers", endorserIndexes);
  checkDistinct(
    "conflicts",
    conflictEndorsements.map(({ endorserIndex }) => endorserIndex),
  );
}

function checkDistinct(list: VotingList, indexes: readonly number[]): void {
  const seen = new Set<number>();
  for (const index of indexes) {
    if (seen.has(index)) refuse({ check: "listedTwice", list, index });
    seen.add(index);
  }
}

/** @returns the endorsers' keys */
function checkEndorsers(
  { endorserIndexes }: FinalizationVoting,
  { committed, weights }: GeneratorSet,
  generator: number | undefined,
): readonly Uint8Array[] {
  const list = "endorsers";
  const members = endorserIndexes.map(
    (index) => committed[index] ?? refuse({ check: "indexUnknown", list, committed: committed.length, index }),
  );
  for (const { index } of members) {
    if (weights[index] === 0n) refuse({ check: "endorserNotAllowed", index });
    if (index === generator) refuse({ check: "isGenerator", list, index });
  }
  return members.map(({ endorserPublicKey }) => endorserPublicKey);
}

function checkConflicts(
  { endorserIndexes, finalizedHeight, conflictEndorsements }: FinalizationVoting,
  { committed, conflicts }: GeneratorSet,
  generator: number | undefined,
  view: VotingView,
  { isSigned }: EndorsementSignatures,
): void {
  const list = "conflicts";
  const endorsers = new Set(endorserIndexes);
  const keys = conflictEndorsements.map(({ endorserIndex: index, finalizedHeight: got }) => {
    // A member with too little balance for the set can contradict itself, too: it also has a deposit.
    const member = committed[index] ?? refuse({ check: "indexUnknown", list, committed: committed.length, index });
    const before = conflicts.get(index);
    if (before !== undefined) refuse({ check: "conflictedBefore", index, height: before });
    if (index === generator) refuse({ check: "isGenerator", list, index });
    if (endorsers.has(index)) refuse({ check: "endorsesAndConflicts", index });
    if (got > finalizedHeight) refuse({ check: "conflictAboveVoting", index, highest: finalizedHeight, got });
    return member.endorserPublicKey;
  });
  for (const { endorserIndex: index, finalizedHeight: height, finalizedBlockId } of conflictEndorsements) {
    const id = blockIdAt(height, view);
    // Without the block here the generator is trusted: it gains nothing, since all other nodes would refuse the block.
    if (id !== undefined && equalBytes(id, finalizedBlockId)) refuse({ check: "noConflict", index, height });
  }
  conflictEndorsements.forEach((endorsement, position) => {
    if (!isSigned(keys[position] as Uint8Array, endorsementSignedBytes(endorsement), endorsement.signature))
      refuse({ check: "conflictSignatureWrong", index: endorsement.endorserIndex });
  });
}

function verifyAggregatedSignature(
  { finalizedHeight, aggregatedEndorsementSignature: signature }: FinalizationVoting,
  endorserKeys: readonly Uint8Array[],
  endorsedBlockId: BlockId,
  view: VotingView,
  { areSigned }: EndorsementSignatures,
): void {
  if (signature === undefined) {
    if (endorserKeys.length > 0) refuse({ check: "signatureMissing" });
    return;
  }
  if (endorserKeys.length === 0) refuse({ check: "signatureWithoutEndorsers" });
  const finalizedBlockId = blockIdAt(finalizedHeight, view);
  if (finalizedBlockId === undefined) return;
  const message = endorsementSignedBytes({ finalizedBlockId, finalizedHeight, endorsedBlockId });
  if (!areSigned(endorserKeys, message, signature)) refuse({ check: "signatureWrong" });
}

/**
 * Id of the chain's block at a height in a voting.
 * @returns undefined below the first block of this node
 */
function blockIdAt(height: number, view: VotingView): BlockId | undefined {
  if (isBelowHistory(height, view)) return undefined;
  return view.findHeader(height)?.id ?? refuse({ check: "blockUnknown", height });
}

function isBelowHistory(height: number, { historyFrom }: Pick<VotingView, "historyFrom">): boolean {
  return height >= 1 && height < historyFrom;
}

/**
 * Part of a verified voting that may finalize a block. It has no endorsers if the voting's finalized block is below the
 * first block of a node that began with a checkpoint: their signature could not be verified.
 */
export function countedVoting(
  voting: FinalizationVoting | undefined,
  view: Pick<StateView, "historyFrom">,
): FinalizationVoting | undefined {
  if (voting === undefined || !isBelowHistory(voting.finalizedHeight, view)) return voting;
  return { ...voting, endorserIndexes: [] };
}

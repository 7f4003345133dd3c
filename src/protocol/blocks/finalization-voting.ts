/**
 * Endorsements (feature 25) as bytes, gathered in the voting of a block or micro-block.
 * @source docs/protocol/consensus-and-finality.md 3.4, 3.7; waves/block.proto
 */
import { concatBytes, i32Bytes } from "../../crypto/bytes.ts";
import { encodeMessage, type MessageOf, message, packed, repeated, scalar } from "../codec/protobuf.ts";
import { refuseField, sizedBytes } from "../transactions/message-fields.ts";
import type { BlockId, ConflictEndorsement, FinalizationVoting } from "./block.ts";

/** BLS signature in its short form, bytes. */
const blsSignatureSize = 96;

/**
 * The reference takes ids of any length. Longer ones than this no peer sends alone: only a generator could put them into its own
 * block. They would fill the row of a header, and take minutes to print.
 */
const maxIdBytes = 1_023;

/** `waves.EndorseBlock`: alone a message between peers. */
export const endorsementMessageType = message("endorsement", {
  endorserIndex: scalar(1, "int32"),
  finalizedBlockId: scalar(2, "bytes"),
  finalizedHeight: scalar(3, "uint32"),
  endorsedBlockId: scalar(4, "bytes"),
  signature: scalar(5, "bytes"),
});

/** `waves.FinalizationVoting`, as a field of headers and micro-blocks. */
export const votingMessageType = message("finalizationVoting", {
  endorserIndexes: packed(1, "int32"),
  finalizedHeight: scalar(2, "int32"),
  aggregatedEndorsementSignature: scalar(3, "bytes"),
  conflictEndorsements: repeated(4, endorsementMessageType),
});

/** @throws WireError */
export function votingOfMessage(voting: MessageOf<typeof votingMessageType>): FinalizationVoting {
  const { aggregatedEndorsementSignature: signature } = voting;
  return {
    endorserIndexes: voting.endorserIndexes,
    finalizedHeight: voting.finalizedHeight,
    aggregatedEndorsementSignature:
      signature.length === 0
        ? undefined
        : sizedBytes("finalizationVoting.aggregatedEndorsementSignature", signature, blsSignatureSize),
    conflictEndorsements: voting.conflictEndorsements.map(endorsementOfMessage),
  };
}

export function messageOfVoting(voting: FinalizationVoting): MessageOf<typeof votingMessageType> {
  return { ...voting, aggregatedEndorsementSignature: voting.aggregatedEndorsementSignature ?? new Uint8Array(0) };
}

/** What the BLS signature of an endorsement covers. It names no endorser: who signs the same is checked together. */
export function endorsementSignedBytes({
  finalizedBlockId,
  finalizedHeight,
  endorsedBlockId,
}: Pick<ConflictEndorsement, "finalizedBlockId" | "finalizedHeight" | "endorsedBlockId">): Uint8Array {
  return concatBytes(finalizedBlockId, i32Bytes(finalizedHeight), endorsedBlockId);
}

/** A voting's bytes, as the signature of a micro-block covers them. */
export function encodeVoting(voting: FinalizationVoting): Uint8Array {
  return encodeMessage(votingMessageType, messageOfVoting(voting));
}

/**
 * The voting of the liquid block after one more micro-block: the newest voting counts, conflicting endorsements add up.
 * @param earlier voting of the block so far
 * @param newer voting of the micro-block
 * @source docs/protocol/consensus-and-finality.md 3.7
 */
export function accumulateVoting(
  earlier: FinalizationVoting | undefined,
  newer: FinalizationVoting | undefined,
): FinalizationVoting | undefined {
  if (earlier === undefined || newer === undefined) return newer ?? earlier;
  return { ...newer, conflictEndorsements: [...earlier.conflictEndorsements, ...newer.conflictEndorsements] };
}

/** The ids are what the endorser says: the reference bans a generator whose ids are of no block by their length, too. */
export function endorsementOfMessage(endorsement: MessageOf<typeof endorsementMessageType>): ConflictEndorsement {
  const { endorserIndex, finalizedHeight, signature } = endorsement;
  return {
    endorserIndex,
    finalizedBlockId: saidId("endorsement.finalizedBlockId", endorsement.finalizedBlockId),
    finalizedHeight,
    endorsedBlockId: saidId("endorsement.endorsedBlockId", endorsement.endorsedBlockId),
    signature: sizedBytes("endorsement.signature", signature, blsSignatureSize),
  };
}

function saidId(field: string, id: Uint8Array): BlockId {
  if (id.length <= maxIdBytes) return id as BlockId;
  return refuseField(field, `at most ${maxIdBytes} bytes expected, got ${id.length}`);
}

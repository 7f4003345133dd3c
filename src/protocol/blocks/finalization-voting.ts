/**
 * Endorsements (feature 25) as bytes, and their collection in the voting of a block or micro-block.
 * @source docs/protocol/consensus-and-finality.md 3.4, 3.7; waves/block.proto
 */
import { concatBytes, i32Bytes } from "../../crypto/bytes.ts";
import { encodeMessage, type MessageOf, message, packed, repeated, scalar } from "../codec/protobuf.ts";
import { refuseField, sizedBytes } from "../transactions/message-fields.ts";
import type { BlockId, ConflictEndorsement, FinalizationVoting } from "./block.ts";

/** Size of a compressed BLS signature, bytes. */
const blsSignatureSize = 96;

/**
 * Maximum size of an id in an endorsement. The reference accepts any, but no peer sends a longer one alone: only a
 * generator could put it into its own block. It would fill the row of a header, and take minutes to print.
 */
const maxIdBytes = 1_023;

/** `waves.EndorseBlock`; also a peer message of its own. */
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

/**
 * Bytes that an endorsement's BLS signature covers. They do not name the endorser, so equal endorsements are verified
 * together.
 */
export function endorsementSignedBytes({
  finalizedBlockId,
  finalizedHeight,
  endorsedBlockId,
}: Pick<ConflictEndorsement, "finalizedBlockId" | "finalizedHeight" | "endorsedBlockId">): Uint8Array {
  return concatBytes(finalizedBlockId, i32Bytes(finalizedHeight), endorsedBlockId);
}

/** Encodes a voting, as the signature of a micro-block covers it. */
export function encodeVoting(voting: FinalizationVoting): Uint8Array {
  return encodeMessage(votingMessageType, messageOfVoting(voting));
}

/**
 * Voting of the liquid block after one more micro-block: the newest voting replaces the earlier one, conflicting
 * endorsements accumulate.
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

/** Any ids are accepted: the reference also bans a generator for ids whose length is that of no block id. */
export function endorsementOfMessage(endorsement: MessageOf<typeof endorsementMessageType>): ConflictEndorsement {
  const { endorserIndex, finalizedHeight, signature } = endorsement;
  return {
    endorserIndex,
    finalizedBlockId: boundedId("endorsement.finalizedBlockId", endorsement.finalizedBlockId),
    finalizedHeight,
    endorsedBlockId: boundedId("endorsement.endorsedBlockId", endorsement.endorsedBlockId),
    signature: sizedBytes("endorsement.signature", signature, blsSignatureSize),
  };
}

function boundedId(field: string, id: Uint8Array): BlockId {
  if (id.length <= maxIdBytes) return id as BlockId;
  return refuseField(field, `at most ${maxIdBytes} bytes expected, got ${id.length}`);
}

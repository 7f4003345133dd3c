/** Message 38: an endorsement of a block, as generators send it. @source docs/protocol/consensus-and-finality.md 3.4 */
import type { ConflictEndorsement } from "../blocks/block.ts";
import { endorsementMessageType, endorsementOfMessage } from "../blocks/finalization-voting.ts";
import { decodeMessage, encodeMessage } from "../codec/protobuf.ts";

/** @throws WireError */
export function parseEndorsement(bytes: Uint8Array): ConflictEndorsement {
  return endorsementOfMessage(decodeMessage(endorsementMessageType, bytes));
}

export function encodeEndorsement(endorsement: ConflictEndorsement): Uint8Array {
  return encodeMessage(endorsementMessageType, endorsement);
}

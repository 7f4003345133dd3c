/**
 * Why a host is blacklisted, in the words of the reference, where its exceptions speak in theirs: operators compare the lists of
 * their nodes. Of a payload that is not read the reason begins as there, and says what this node says of it.
 * @source Waves: network/HandshakeHandler.scala, LegacyFrameCodec.scala, MessageCodecL1.scala, BasicMessagesRepo.scala
 */

import type { FrameFault } from "../../../src/protocol/messages/frame.ts";
import type { Handshake, NodeVersion } from "../../../src/protocol/messages/handshake.ts";
import { type MessageKind, messageTable } from "../../../src/protocol/messages/message-table.ts";

/** What the reference calls its messages. */
const messageNames: Readonly<Record<MessageKind, string>> = {
  getPeers: "GetPeers",
  peers: "Peers",
  getSignatures: "GetSignatures",
  signatures: "Signatures",
  getBlock: "GetBlock",
  legacyBlock: "Block",
  score: "Score",
  legacyTransaction: "Transaction",
  microBlockInv: "MicroBlockInv",
  getMicroBlock: "MicroBlockRequest",
  legacyMicroBlock: "LegacyMicroBlockResponse",
  block: "PBBlock",
  microBlock: "PBMicroBlock",
  transaction: "PBTransaction",
  getBlockIds: "GetBlockIds",
  blockIds: "BlockIds",
  getBlockSnapshot: "GetSnapsnot",
  getMicroBlockSnapshot: "MicroSnapshotRequest",
  blockSnapshot: "BlockSnapshotResponse",
  microBlockSnapshot: "MicroBlockSnapshotResponse",
  endorsement: "EndorseBlock",
};

export const HANDSHAKE_TIMEOUT = "Timeout expired while waiting for handshake";
export const OWNERS_WISH = "Debug API request";

export function malformedMessage(fault: FrameFault): string {
  return `Malformed network message: java.lang.${exceptionOf(fault)}`;
}

export function invalidMessage(message: string): string {
  return `Invalid message. ${message}`;
}

/** Of a declared address. */
export function portOutOfRange(port: number): string {
  return `Corrupted message frame: io.netty.handler.codec.DecoderException: java.lang.IllegalArgumentException: ${portFault(port)}`;
}

export function portFault(port: number): string {
  return `port out of range:${port}`;
}

export function otherApplication(theirs: Handshake, ours: Handshake): string {
  return `Remote application name ${theirs.applicationName} does not match local ${ours.applicationName}`;
}

export function unsupportedVersion({ major, minor, patch }: NodeVersion): string {
  return `Remote application version (${major},${minor},${patch}) is not supported`;
}

function exceptionOf(fault: FrameFault): string {
  switch (fault.kind) {
    case "magic":
      return unmet("invalid magic number");
    case "code":
      return unmet(`Unexpected message code ${(fault.code << 24) >> 24}`);
    case "payload":
      if (fault.sizeBytes < 0) return `NegativeArraySizeException: ${fault.sizeBytes}`;
      return unmet(`${nameOf(fault.code)} message length ${fault.sizeBytes} exceeds ${fault.maxBytes}`);
    case "checksum":
      return unmet("invalid checksum");
    case "length":
      return `IndexOutOfBoundsException: ${fault.expectedBytes} bytes expected, got ${fault.lengthBytes}`;
  }
}

function unmet(requirement: string): string {
  return `IllegalArgumentException: requirement failed: ${requirement}`;
}

function nameOf(code: number): string {
  const kind = (Object.keys(messageTable) as MessageKind[]).find((each) => messageTable[each].code === code);
  return kind === undefined ? String(code) : messageNames[kind];
}

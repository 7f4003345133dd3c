/**
 * Why a host is blacklisted, in the words of the reference, where its exceptions speak in theirs: operators compare the lists of
 * their nodes. Of a payload that is not read the reason begins as there, and says what this node says of it.
 * @source Waves: network/HandshakeHandler.scala, LegacyFrameCodec.scala, MessageCodecL1.scala, BasicMessagesRepo.scala
 */

import { ByteReader } from "../../../src/protocol/codec/byte-reader.ts";
import { i32 } from "../../../src/protocol/codec/codec.ts";
import type { FrameFault } from "../../../src/protocol/messages/frame.ts";
import type { Handshake, NodeVersion } from "../../../src/protocol/messages/handshake.ts";
import { findKind, type MessageKind } from "../../../src/protocol/messages/message-table.ts";

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

const COUNT_BYTES = 4;
const PEER_BYTES = 8;
const LENGTH_BYTES = 4;
const MAX_FRAME_BYTES = 100 * 1024 * 1024;

export const HANDSHAKE_TIMEOUT = "Timeout expired while waiting for handshake";
export const OWNERS_WISH = "Debug API request";

export function malformedMessage(fault: FrameFault): string {
  if (fault.kind === "length") {
    // Its length field has no sign, and is judged before all else.
    const announcedBytes = (fault.lengthBytes >>> 0) + LENGTH_BYTES;
    const tooLong = `Adjusted frame length exceeds ${MAX_FRAME_BYTES}: ${announcedBytes} - discarded`;
    if (announcedBytes > MAX_FRAME_BYTES) return corrupted("TooLongFrameException", tooLong);
  }
  return `Malformed network message: java.lang.${exceptionOf(fault)}`;
}

/**
 * Of a payload that is not what its kind of message has.
 * @param found what this node says of it, where the reference's words are its own affair
 */
export function invalidMessage(kind: MessageKind, payload: Uint8Array, found: string): string {
  return `Invalid message. ${wordsFor(kind, payload) ?? found}`;
}

/** Of an address in a list of peers. */
export function invalidPort(port: number): string {
  return `Invalid message. ${portFault(port)}`;
}

/** Of a declared address. */
export function invalidDeclaredPort(port: number): string {
  return corrupted("DecoderException", `java.lang.IllegalArgumentException: ${portFault(port)}`);
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
      // What stands behind the payload is taken for the next message.
      if (fault.lengthBytes > fault.expectedBytes) return unmet("invalid magic number");
      return `IndexOutOfBoundsException: ${fault.expectedBytes} bytes expected, got ${fault.lengthBytes}`;
  }
}

function wordsFor(kind: MessageKind, payload: Uint8Array): string | undefined {
  switch (kind) {
    case "peers":
    case "getBlockIds":
    case "blockIds":
    case "getSignatures":
    case "signatures":
      return payload.length < COUNT_BYTES
        ? `array too small: ${payload.length} < ${COUNT_BYTES}`
        : wordsForList(kind, payload);
    case "getBlock":
    case "getBlockSnapshot":
      return "requirement failed: Data does not match length";
    case "microBlockInv":
      return `${payload.length} (of class java.lang.Integer)`;
    default:
      return undefined;
  }
}

function wordsForList(kind: MessageKind, payload: Uint8Array): string {
  if (kind !== "peers")
    return `${kind.endsWith("Ids") ? "requirement" : "assertion"} failed: Data does not match length`;
  const count = i32.read(new ByteReader(payload));
  const expectedBytes = (COUNT_BYTES + count * PEER_BYTES) | 0;
  return `assertion failed: Invalid KnownPeers message length ${payload.length}, expecting ${expectedBytes} for ${count} peers`;
}

function corrupted(exception: string, message: string): string {
  return `Corrupted message frame: io.netty.handler.codec.${exception}: ${message}`;
}

function portFault(port: number): string {
  return `port out of range:${port}`;
}

function unmet(requirement: string): string {
  return `IllegalArgumentException: requirement failed: ${requirement}`;
}

function nameOf(code: number): string {
  const kind = findKind(code);
  return kind === undefined ? String(code) : messageNames[kind];
}

/**
 * Reasons of a blacklisting, in the words of the reference and of its exceptions, since operators compare the lists of
 * their nodes. For a payload that cannot be parsed the beginning is the reference's, the rest this node's own.
 * @source Waves: network/HandshakeHandler.scala, LegacyFrameCodec.scala, MessageCodecL1.scala, BasicMessagesRepo.scala
 */

import { ByteReader } from "../../../src/protocol/codec/byte-reader.ts";
import { i32 } from "../../../src/protocol/codec/codec.ts";
import type { FrameErrorDetails } from "../../../src/protocol/messages/frame.ts";
import type { Handshake, NodeVersion } from "../../../src/protocol/messages/handshake.ts";
import { findKind, type MessageKind } from "../../../src/protocol/messages/message-table.ts";

/** Names of the messages in the reference. */
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

export function malformedMessage(error: FrameErrorDetails): string {
  if (error.kind === "length") {
    // The reference reads the length field as unsigned, and checks it before all else.
    const announcedBytes = (error.lengthBytes >>> 0) + LENGTH_BYTES;
    const tooLong = `Adjusted frame length exceeds ${MAX_FRAME_BYTES}: ${announcedBytes} - discarded`;
    if (announcedBytes > MAX_FRAME_BYTES) return corrupted("TooLongFrameException", tooLong);
  }
  return `Malformed network message: java.lang.${exceptionOf(error)}`;
}

/**
 * Reason for a payload that does not match its kind of message.
 * @param found this node's own text, for cases without a fixed text in the reference
 */
export function invalidMessage(kind: MessageKind, payload: Uint8Array, found: string): string {
  return `Invalid message. ${invalidMessageText(kind, payload) ?? found}`;
}

/** Reason for an address in a list of peers. */
export function invalidPort(port: number): string {
  return `Invalid message. ${portErrorText(port)}`;
}

/** Reason for a declared address. */
export function invalidDeclaredPort(port: number): string {
  return corrupted("DecoderException", `java.lang.IllegalArgumentException: ${portErrorText(port)}`);
}

export function otherApplication(theirs: Handshake, ours: Handshake): string {
  return `Remote application name ${theirs.applicationName} does not match local ${ours.applicationName}`;
}

export function unsupportedVersion({ major, minor, patch }: NodeVersion): string {
  return `Remote application version (${major},${minor},${patch}) is not supported`;
}

function exceptionOf(error: FrameErrorDetails): string {
  switch (error.kind) {
    case "magic":
      return unmet("invalid magic number");
    case "code":
      return unmet(`Unexpected message code ${(error.code << 24) >> 24}`);
    case "payload":
      if (error.sizeBytes < 0) return `NegativeArraySizeException: ${error.sizeBytes}`;
      return unmet(`${nameOf(error.code)} message length ${error.sizeBytes} exceeds ${error.maxBytes}`);
    case "checksum":
      return unmet("invalid checksum");
    case "length":
      // The bytes after the payload are read as the next message.
      if (error.lengthBytes > error.expectedBytes) return unmet("invalid magic number");
      return `IndexOutOfBoundsException: ${error.expectedBytes} bytes expected, got ${error.lengthBytes}`;
  }
}

function invalidMessageText(kind: MessageKind, payload: Uint8Array): string | undefined {
  switch (kind) {
    case "peers":
    case "getBlockIds":
    case "blockIds":
    case "getSignatures":
    case "signatures":
      return payload.length < COUNT_BYTES
        ? `array too small: ${payload.length} < ${COUNT_BYTES}`
        : invalidListText(kind, payload);
    case "getBlock":
    case "getBlockSnapshot":
      return "requirement failed: Data does not match length";
    case "microBlockInv":
      return `${payload.length} (of class java.lang.Integer)`;
    default:
      return undefined;
  }
}

function invalidListText(kind: MessageKind, payload: Uint8Array): string {
  if (kind !== "peers")
    return `${kind.endsWith("Ids") ? "requirement" : "assertion"} failed: Data does not match length`;
  const count = i32.read(new ByteReader(payload));
  const expectedBytes = (COUNT_BYTES + count * PEER_BYTES) | 0;
  return `assertion failed: Invalid KnownPeers message length ${payload.length}, expecting ${expectedBytes} for ${count} peers`;
}

function corrupted(exception: string, message: string): string {
  return `Corrupted message frame: io.netty.handler.codec.${exception}: ${message}`;
}

function portErrorText(port: number): string {
  return `port out of range:${port}`;
}

function unmet(requirement: string): string {
  return `IllegalArgumentException: requirement failed: ${requirement}`;
}

function nameOf(code: number): string {
  const kind = findKind(code);
  return kind === undefined ? String(code) : messageNames[kind];
}

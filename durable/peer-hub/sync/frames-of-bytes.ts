/** Frames of messages whose payload exists already. */
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { type MessageKind, messageTable } from "../../../src/protocol/messages/message-table.ts";
import { isLegacyMicroBlock } from "../../../src/protocol/messages/micro-block.ts";

export function payloadFrame(kind: MessageKind, payload: Uint8Array): Uint8Array {
  return encodeFrame({ code: messageTable[kind].code, payload });
}

/** @param payload in the form of `ChainForPeers.findBlock` */
export function blockFrame(payload: Uint8Array): Uint8Array {
  return payloadFrame(isLegacyBlock(payload) ? "legacyBlock" : "block", payload);
}

/** @param payload in the form of `encodeMicroBlock` */
export function microBlockFrame(payload: Uint8Array): Uint8Array {
  return payloadFrame(isLegacyMicroBlock(payload) ? "legacyMicroBlock" : "microBlock", payload);
}

/**
 * Whether the block is in the older form, which starts with its version; protobuf starts with the tag of its first
 * field, 10.
 */
function isLegacyBlock([first = 0]: Uint8Array): boolean {
  return first < BlockVersion.Protobuf;
}

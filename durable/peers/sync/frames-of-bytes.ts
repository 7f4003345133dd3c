/** Messages of which the payload is there already. */
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { type MessageKind, messageTable } from "../../../src/protocol/messages/message-table.ts";

export function payloadFrame(kind: MessageKind, payload: Uint8Array): Uint8Array {
  return encodeFrame({ code: messageTable[kind].code, payload });
}

/** @param payload as `ChainForPeers.findBlock` gives it */
export function blockFrame(payload: Uint8Array): Uint8Array {
  return payloadFrame(isLegacy(payload) ? "legacyBlock" : "block", payload);
}

/** @param payload as `encodeMicroBlock` writes it */
export function microBlockFrame(payload: Uint8Array): Uint8Array {
  return payloadFrame(isLegacy(payload) ? "legacyMicroBlock" : "microBlock", payload);
}

/** Of a block or a micro-block: the older form begins with its version, the other one with the tag of its first field, 10. */
function isLegacy([first = 0]: Uint8Array): boolean {
  return first < BlockVersion.Protobuf;
}

/** Messages with blocks and micro-blocks that are bytes already. The first byte tells their two forms apart. */
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { messageTable } from "../../../src/protocol/messages/message-table.ts";

/** @param payload as `ChainForPeers.findBlock` gives it */
export function blockFrame(payload: Uint8Array): Uint8Array {
  return encodeFrame({ code: (isLegacy(payload) ? messageTable.legacyBlock : messageTable.block).code, payload });
}

/** @param payload as `encodeMicroBlock` writes it */
export function microBlockFrame(payload: Uint8Array): Uint8Array {
  const { code } = isLegacy(payload) ? messageTable.legacyMicroBlock : messageTable.microBlock;
  return encodeFrame({ code, payload });
}

/** The older form begins with its version, the other one with the tag of its first field, 10. */
function isLegacy([first = 0]: Uint8Array): boolean {
  return first < BlockVersion.Protobuf;
}

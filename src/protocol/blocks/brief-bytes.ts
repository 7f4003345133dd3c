import { encodeBase58 } from "../../crypto/base58.ts";

/** As long as the longest of what blocks refer to: the id of a block before version 5, a signature. */
const longestShownBytes = 64;

/** Bytes that a generator chose, for a fault: base58 of what may be a hash or an id, of others how many there are. */
export function briefBytesText(bytes: Uint8Array): string {
  return bytes.length <= longestShownBytes ? encodeBase58(bytes) : `${bytes.length} bytes`;
}

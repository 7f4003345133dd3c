import { encodeBase58 } from "../../crypto/base58.ts";

/** Size of the longest bytes that a block refers to: the id of a block before version 5, a signature. */
const maxPrintedBytes = 64;

/**
 * Text of bytes from a generator for an error: base58 for bytes that may be a hash or an id, otherwise only their size.
 */
export function briefBytesText(bytes: Uint8Array): string {
  return bytes.length <= maxPrintedBytes ? encodeBase58(bytes) : `${bytes.length} bytes`;
}

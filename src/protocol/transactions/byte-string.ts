/** Byte strings of any size as text. @source Waves: lang/…/common/state/ByteStr.scala (toString) */
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodePrefixedBase64 } from "../../crypto/base64.ts";

/** From this size on, base58 would take too long. */
const base64FromBytes = 1024;

/** Base58, or for long byte strings base64 with its prefix. */
export function byteStringText(bytes: Uint8Array): string {
  return bytes.length < base64FromBytes ? encodeBase58(bytes) : encodePrefixedBase64(bytes);
}

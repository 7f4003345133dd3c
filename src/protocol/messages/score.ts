/** Message 24: score of a peer's chain. @source docs/protocol/consensus-and-finality.md 1.9, 1.10 */
import { encodeHex } from "../../crypto/hex.ts";
import type { Codec } from "../codec/codec.ts";

/** Larger than the score of any chain. */
export const MAX_SCORE_BYTES = 64;

/** Bytes of the number with a 0 as first bit; read as unsigned, as in the reference. */
export const score: Codec<bigint> = {
  read: (from) => {
    const bytes = from.bytesOf(from.remaining);
    return bytes.length === 0 ? 0n : BigInt(`0x${encodeHex(bytes)}`);
  },
  write: (value, to) => {
    const digits = value.toString(16);
    const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
    if (Number.parseInt(hex.slice(0, 2), 16) >= 0x80) to.u8(0);
    for (let at = 0; at < hex.length; at += 2) to.u8(Number.parseInt(hex.slice(at, at + 2), 16));
  },
};

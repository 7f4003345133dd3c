/**
 * The chain of generation signatures, which draws generators before VRF (block versions 1 to 4).
 * @source docs/protocol/consensus-and-finality.md 1.2; Waves: consensus/PoSCalculator.scala generationSignature
 */
import { concatBytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { Digest, PublicKey } from "../../crypto/identities.ts";

/** Bytes of the earlier block that enter. */
const linkSizeBytes = 32;

/**
 * One link of the chain. Over the parent's generation signature it is what the header must carry; over the hit source
 * (which under Fair PoS lies deeper) its first bytes are the hit.
 * @param previous generation signature or hit source of the earlier block; its first 32 bytes enter
 */
export function generationSignature(previous: Uint8Array, generator: PublicKey): Digest {
  if (previous.length < linkSizeBytes) {
    throw new RangeError(`a generation signature has at least ${linkSizeBytes} bytes, got ${previous.length}`);
  }
  return blake2b256(concatBytes(previous.subarray(0, linkSizeBytes), generator));
}

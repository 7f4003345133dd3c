/**
 * Chain of generation signatures, which selects generators before VRF (block versions 1 to 4).
 * @source docs/protocol/consensus-and-finality.md 1.2; Waves: consensus/PoSCalculator.scala generationSignature
 */
import { concatBytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { Digest, PublicKey } from "../../crypto/identities.ts";

/** Hashed bytes of the earlier block. */
const linkSizeBytes = 32;

/**
 * One link of the chain. Over the parent's generation signature it gives the header's; over the hit source (of a deeper
 * block under Fair PoS) its first bytes are the hit.
 * @param previous generation signature or hit source of the earlier block; its first 32 bytes are hashed
 */
export function generationSignature(previous: Uint8Array, generator: PublicKey): Digest {
  if (previous.length < linkSizeBytes) {
    throw new RangeError(`a generation signature has at least ${linkSizeBytes} bytes, got ${previous.length}`);
  }
  return blake2b256(concatBytes(previous.subarray(0, linkSizeBytes), generator));
}

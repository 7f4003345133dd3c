/**
 * Message that an endorser signs to prove possession of a commitment's BLS key.
 * @source docs/protocol/consensus-and-finality.md 3.2
 */
import { concatBytes } from "../../crypto/bytes.ts";

const PERIOD_START_BYTES = 4;

/**
 * Message of a commitment's signature. It contains the period, so that an earlier commitment cannot be replayed.
 * @param endorserPublicKey 48 bytes
 * @param generationPeriodStart first height of the period that is committed to
 * @returns 52 bytes
 */
export function proofOfPossessionMessage(endorserPublicKey: Uint8Array, generationPeriodStart: number): Uint8Array {
  const start = new Uint8Array(PERIOD_START_BYTES);
  new DataView(start.buffer).setUint32(0, generationPeriodStart);
  return concatBytes(endorserPublicKey, start);
}

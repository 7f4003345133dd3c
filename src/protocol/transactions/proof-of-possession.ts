/**
 * What an endorser signs to show that the BLS key of a commitment is its own.
 * @source docs/protocol/consensus-and-finality.md 3.2
 */
import { concatBytes } from "../../crypto/bytes.ts";

const PERIOD_START_BYTES = 4;

/**
 * The message of a commitment's signature. It names the period, so that no commitment is made again out of an earlier one.
 * @param endorserPublicKey 48 bytes
 * @param generationPeriodStart first height of the period that is committed to
 * @returns 52 bytes
 */
export function proofOfPossessionMessage(endorserPublicKey: Uint8Array, generationPeriodStart: number): Uint8Array {
  const start = new Uint8Array(PERIOD_START_BYTES);
  new DataView(start.buffer).setUint32(0, generationPeriodStart);
  return concatBytes(endorserPublicKey, start);
}

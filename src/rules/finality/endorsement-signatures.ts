/**
 * Verification of endorsement signatures: on the curve, except in a simulation of many endorsers, which has cheaper
 * ones.
 */
import { blsVerify, fastAggregateVerify } from "../../crypto/bls.ts";
import { type RunStep, verifyByStep } from "../../crypto/long-step.ts";

export interface EndorsementSignatures {
  /** Whether the owner of the key has signed the message. False for bytes that are no key or no signature. */
  readonly isSigned: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  /** Whether the signature is the aggregate of all owners' signatures over the message. */
  readonly areSigned: (publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array) => boolean;
}

/** @source docs/protocol/consensus-and-finality.md 3.2, 3.4 */
export const blsSignatures: EndorsementSignatures = { isSigned: blsVerify, areSigned: fastAggregateVerify };

/** Work of a signature, about a hundredth of a second, and of each further key. */
const SIGNATURE_WORK = 400;
const KEY_WORK = 4;

/** Same as `blsSignatures`, with each verification as a separate step. */
export function blsSignaturesBy(run: RunStep): EndorsementSignatures {
  return {
    isSigned: (publicKey, message, signature) => {
      const step = { name: "bls", inputs: [message, signature, publicKey], work: SIGNATURE_WORK };
      return verifyByStep(run, step, () => blsVerify(publicKey, message, signature));
    },
    areSigned: (publicKeys, message, signature) => {
      const work = SIGNATURE_WORK + KEY_WORK * publicKeys.length;
      const step = { name: "blsAggregate", inputs: [message, signature, ...publicKeys], work };
      return verifyByStep(run, step, () => fastAggregateVerify(publicKeys, message, signature));
    },
  };
}

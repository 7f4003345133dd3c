/** How signatures of endorsements are verified: by the curve, save where a simulation of many endorsers has cheaper ones. */
import { blsVerify, fastAggregateVerify } from "../../crypto/bls.ts";
import { holdsByStep, type RunStep } from "../../crypto/long-step.ts";

export interface EndorsementSignatures {
  /** Whether the owner of the key has signed the message. False for bytes that are no key or no signature. */
  readonly isSigned: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  /** Whether the signature is the sum of those of all owners over the one message. */
  readonly areSigned: (publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array) => boolean;
}

/** @source docs/protocol/consensus-and-finality.md 3.2, 3.4 */
export const blsSignatures: EndorsementSignatures = { isSigned: blsVerify, areSigned: fastAggregateVerify };

/** A hundredth of a second; and for each further key. */
const SIGNATURE_WORK = 400;
const KEY_WORK = 4;

/** As `blsSignatures`, each verification a step of its own. */
export function blsSignaturesBy(run: RunStep): EndorsementSignatures {
  return {
    isSigned: (publicKey, message, signature) => {
      const step = { name: "bls", inputs: [message, signature, publicKey], work: SIGNATURE_WORK };
      return holdsByStep(run, step, () => blsVerify(publicKey, message, signature));
    },
    areSigned: (publicKeys, message, signature) => {
      const work = SIGNATURE_WORK + KEY_WORK * publicKeys.length;
      const step = { name: "blsAggregate", inputs: [message, signature, ...publicKeys], work };
      return holdsByStep(run, step, () => fastAggregateVerify(publicKeys, message, signature));
    },
  };
}

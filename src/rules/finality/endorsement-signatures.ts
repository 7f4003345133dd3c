/** How signatures of endorsements are verified: by the curve, save where a simulation of many endorsers has cheaper ones. */
import { blsVerify, fastAggregateVerify } from "../../crypto/bls.ts";

export interface EndorsementSignatures {
  /** Whether the owner of the key has signed the message. False for bytes that are no key or no signature. */
  readonly isSigned: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  /** Whether the signature is the sum of those of all owners over the one message. */
  readonly areSigned: (publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array) => boolean;
}

/** @source docs/protocol/consensus-and-finality.md 3.2, 3.4 */
export const blsSignatures: EndorsementSignatures = { isSigned: blsVerify, areSigned: fastAggregateVerify };

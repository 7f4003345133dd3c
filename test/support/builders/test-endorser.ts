/** BLS keys of test generators, with proofs of possession. */
import {
  type BlsPublicKey,
  type BlsSecretKey,
  type BlsSignature,
  blsPublicKeyOf,
  blsSecretKeyOf,
  blsSign,
} from "../../../src/crypto/bls.ts";
import type { PrivateKey } from "../../../src/crypto/identities.ts";
import { proofOfPossessionMessage } from "../../../src/protocol/transactions/proof-of-possession.ts";

export interface TestEndorser {
  readonly secretKey: BlsSecretKey;
  readonly endorserPublicKey: BlsPublicKey;
}

/** @param byte different for each endorser */
export function testEndorser(byte: number): TestEndorser {
  const secretKey = blsSecretKeyOf(new Uint8Array(32).fill(byte) as PrivateKey);
  return { secretKey, endorserPublicKey: blsPublicKeyOf(secretKey) };
}

/** Fields of a commitment to the period. */
export function commitmentFields(
  { secretKey, endorserPublicKey }: TestEndorser,
  generationPeriodStart: number,
): {
  readonly endorserPublicKey: BlsPublicKey;
  readonly generationPeriodStart: number;
  readonly commitmentSignature: BlsSignature;
} {
  const message = proofOfPossessionMessage(endorserPublicKey, generationPeriodStart);
  return { endorserPublicKey, generationPeriodStart, commitmentSignature: blsSign(secretKey, message) };
}

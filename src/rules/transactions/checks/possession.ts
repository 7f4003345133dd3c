/**
 * Proof of possession: the sender of a commitment has the secret of its BLS key. Otherwise it could make up a key that
 * cancels other keys.
 * @source docs/protocol/consensus-and-finality.md 3.2; Waves 1.6: state/diffs/CommitToGenerationTransactionDiff.scala
 */
import { blsVerify, isValidBlsPublicKey } from "../../../crypto/bls.ts";
import { proofOfPossessionMessage } from "../../../protocol/transactions/proof-of-possession.ts";
import type { CommitToGenerationTransaction } from "../../../protocol/transactions/transaction.ts";
import type { TransactionViolation } from "../../../protocol/transactions/transaction-violation.ts";

/** Undefined for a valid proof. Cost: two pairings, unless the result is cached. */
export function findPossessionError(
  transaction: Pick<
    CommitToGenerationTransaction,
    "generationPeriodStart" | "endorserPublicKey" | "commitmentSignature"
  >,
): TransactionViolation | undefined {
  const { generationPeriodStart, endorserPublicKey, commitmentSignature } = transaction;
  if (!isValidBlsPublicKey(endorserPublicKey)) return { code: "endorserKeyInvalid", endorserPublicKey };
  const message = proofOfPossessionMessage(endorserPublicKey, generationPeriodStart);
  return blsVerify(endorserPublicKey, message, commitmentSignature)
    ? undefined
    : { code: "commitmentSignatureInvalid" };
}

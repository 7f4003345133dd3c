/**
 * Signatures of accounts without script.
 * @source Waves: transaction/Proven.scala, crypto/package.scala (verify)
 */

import { verify } from "../../../crypto/curve25519.ts";
import type { PublicKey } from "../../../crypto/identities.ts";
import { isWeakPublicKey } from "../../../crypto/weak-public-keys.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Order } from "../../../protocol/transactions/order.ts";
import { hasProofs } from "../../../protocol/transactions/signer.ts";
import type { AuthorizedTransaction, Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import { ordersBySide } from "../exchange-orders.ts";
import { findPossessionError } from "./possession.ts";

/** Signature to verify. */
export interface SignedMessage {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
}

export interface ProofOptions {
  /** Whether small-order public keys are refused: from feature 17 on. */
  readonly refuseWeakKeys: boolean;
  /** False when the signatures were verified before. */
  readonly verifySignatures: boolean;
}

const expectedProofs = 1;

/** @throws RuleError proofCountWrong, proofInvalid */
export function verifyTransactionProof(transaction: AuthorizedTransaction, options: ProofOptions): void {
  const proof = getOnlyProof(transaction.proofs);
  const signedMessage = { signature: proof, message: transaction.bodyBytes, publicKey: transaction.sender };
  if (!isValid(signedMessage, options)) throw new RuleError({ code: "proofInvalid", transaction });
}

/**
 * Verifies the proof of an order. An order signed by an Ethereum wallet has no key: the signer is its owner.
 * @throws RuleError proofCountWrong, orderProofInvalid
 */
export function verifyOrderProof(order: Order, options: ProofOptions): void {
  if (order.eip712Signature !== null) return;
  const proof = getOnlyProof(order.proofs);
  const signedMessage = { signature: proof, message: order.bodyBytes, publicKey: order.sender };
  if (!isValid(signedMessage, options)) throw new RuleError({ code: "orderProofInvalid", order });
}

/**
 * Signatures of a transaction if no script is involved, for batch verification. Some may not be needed: an account
 * script replaces its owner's signature.
 */
export function signaturesOf(transaction: Transaction): readonly SignedMessage[] {
  if (!hasProofs(transaction)) return [];
  const { proofs, bodyBytes, sender } = transaction;
  const own = signedMessages(proofs, bodyBytes, sender);
  if (transaction.type !== TransactionType.Exchange) return own;
  const { buy, sell } = ordersBySide(transaction);
  const orderSignatures = [sell, buy].flatMap((order) =>
    order.eip712Signature === null ? signedMessages(order.proofs, order.bodyBytes, order.sender) : [],
  );
  return [...own, ...orderSignatures];
}

/**
 * Whether `signaturesOf` are valid, and in a commitment the proof of possession of its BLS key. Weak keys are not
 * refused here.
 * @param mayVerifyPossession called before the verification of a proof of possession; if it returns false, so does this
 *   function
 */
export function hasValidSignatures(transaction: Transaction, mayVerifyPossession = (): boolean => true): boolean {
  const isSigned = signaturesOf(transaction).every(({ signature, message, publicKey }) =>
    verify(signature, message, publicKey),
  );
  if (!isSigned || transaction.type !== TransactionType.CommitToGeneration) return isSigned;
  return mayVerifyPossession() && findPossessionError(transaction) === undefined;
}

function signedMessages(proofs: readonly Uint8Array[], message: Uint8Array, publicKey: Uint8Array): SignedMessage[] {
  const [signature] = proofs;
  return proofs.length === expectedProofs && signature !== undefined ? [{ signature, message, publicKey }] : [];
}

function getOnlyProof(proofs: readonly Uint8Array[]): Uint8Array {
  const [proof] = proofs;
  if (proof === undefined || proofs.length !== expectedProofs) {
    throw new RuleError({ code: "proofCountWrong", count: proofs.length, expected: expectedProofs });
  }
  return proof;
}

function isValid({ signature, message, publicKey }: SignedMessage, options: ProofOptions): boolean {
  if (options.refuseWeakKeys && isWeakPublicKey(publicKey as PublicKey)) return false;
  return !options.verifySignatures || verify(signature, message, publicKey);
}

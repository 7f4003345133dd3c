/**
 * Signatures of accounts without script.
 * @source Waves: transaction/Proven.scala, crypto/package.scala (verify)
 */

import { verify } from "../../../crypto/curve25519.ts";
import type { PublicKey } from "../../../crypto/identities.ts";
import { isWeakPublicKey } from "../../../crypto/weak-public-keys.ts";
import { RuleError } from "../../../protocol/faults.ts";
import type { Order } from "../../../protocol/transactions/order.ts";
import { hasProofs } from "../../../protocol/transactions/signer.ts";
import type { AuthorizedTransaction, Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import { ordersBySide } from "../exchange-orders.ts";
import { findPossessionFault } from "./possession.ts";

/** One signature to be verified. */
export interface SignedMessage {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
}

export interface ProofOptions {
  /** Small-order public keys are refused from feature 17 on. */
  readonly refuseWeakKeys: boolean;
  /** False where the signatures were verified before. */
  readonly verifySignatures: boolean;
}

const expectedProofs = 1;

/** @throws RuleError proofCountWrong, proofInvalid */
export function verifyTransactionProof(transaction: AuthorizedTransaction, options: ProofOptions): void {
  const proof = getOnlyProof(transaction.proofs);
  const signed = { signature: proof, message: transaction.bodyBytes, publicKey: transaction.sender };
  if (!isValid(signed, options)) throw new RuleError({ code: "proofInvalid", transaction });
}

/**
 * An order signed by an Ethereum wallet names no key: its owner is whoever signed it.
 * @throws RuleError proofCountWrong, orderProofInvalid
 */
export function verifyOrderProof(order: Order, options: ProofOptions): void {
  if (order.eip712Signature !== null) return;
  const proof = getOnlyProof(order.proofs);
  const signed = { signature: proof, message: order.bodyBytes, publicKey: order.sender };
  if (!isValid(signed, options)) throw new RuleError({ code: "orderProofInvalid", order });
}

/**
 * The signatures that a transaction stands on if no script is involved, for those who verify many at once.
 * Some may turn out not to be needed: an account script takes the place of its owner's signature.
 */
export function signaturesOf(transaction: Transaction): readonly SignedMessage[] {
  if (!hasProofs(transaction)) return [];
  const { proofs, bodyBytes, sender } = transaction;
  const own = signedMessages(proofs, bodyBytes, sender);
  if (transaction.type !== TransactionType.Exchange) return own;
  const { buy, sell } = ordersBySide(transaction);
  const ofOrders = [sell, buy].flatMap((order) =>
    order.eip712Signature === null ? signedMessages(order.proofs, order.bodyBytes, order.sender) : [],
  );
  return [...own, ...ofOrders];
}

/**
 * Whether those are valid, and in a commitment the proof of possession of its BLS key. Keys that are refused as weak count as any
 * other here.
 * @param mayVerifyPossession asked before a proof of possession is looked at; where it may not be, nothing is said to be valid
 */
export function hasValidSignatures(transaction: Transaction, mayVerifyPossession = (): boolean => true): boolean {
  const isSigned = signaturesOf(transaction).every(({ signature, message, publicKey }) =>
    verify(signature, message, publicKey),
  );
  if (!isSigned || transaction.type !== TransactionType.CommitToGeneration) return isSigned;
  return mayVerifyPossession() && findPossessionFault(transaction) === undefined;
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

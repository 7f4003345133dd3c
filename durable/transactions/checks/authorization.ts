/**
 * Who may send a transaction: the owner of the key, or whoever the account's script lets.
 * @source Waves: transaction/smart/Verifier.scala
 */

import type { Address } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import type { Order } from "../../../src/protocol/transactions/order.ts";
import type { ExchangeTransaction, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { ordersBySide } from "../exchange-orders.ts";
import { orderSenderAddress, senderAddress } from "../sender-address.ts";
import { type ProofOptions, verifyOrderProof, verifyTransactionProof } from "./proofs.ts";

/** Types whose version 1 carries a signature in place of proofs. */
const signatureInVersion1: ReadonlySet<number> = new Set([3, 4, 5, 6, 8, 9, 10]);

/**
 * @returns complexity that the account scripts spent
 * @throws RuleError proofCountWrong, proofInvalid, orderProofInvalid, signatureOfScriptedAccount, scriptsNotSupported
 */
export function verifyAuthorization(transaction: Transaction, view: StateView, context: BlockContext): bigint {
  if (transaction.type === 1 || transaction.type === 18) return 0n;
  const options: ProofOptions = {
    // Payments ended long before weak keys were refused; the reference still verifies them the old way.
    refuseWeakKeys: transaction.type !== 2 && view.isActive(Feature.RideV6, view.height),
    verifySignatures: context.verifySignatures,
  };
  if (transaction.type === 7) return verifyExchange(transaction, view, options);
  if (view.findAccountScript(senderAddress(transaction)) === undefined) {
    verifyTransactionProof(transaction, options);
    return 0n;
  }
  const hasSignature =
    transaction.type === 2 || (signatureInVersion1.has(transaction.type) && transaction.version === 1);
  if (hasSignature) throw new RuleError({ code: "signatureOfScriptedAccount", what: "transaction" });
  return runVerifier();
}

/** The matcher first, then the owners of the sell and of the buy order. */
function verifyExchange(transaction: ExchangeTransaction, view: StateView, options: ProofOptions): bigint {
  const matcherComplexity = verifyMatcher(transaction, view, options);
  const { buy, sell } = ordersBySide(transaction);
  return matcherComplexity + verifyOrder(sell, view, options) + verifyOrder(buy, view, options);
}

function verifyMatcher(transaction: ExchangeTransaction, view: StateView, options: ProofOptions): bigint {
  if (!hasScript(senderAddress(transaction), view)) {
    verifyTransactionProof(transaction, options);
    return 0n;
  }
  if (transaction.version === 1) throw new RuleError({ code: "signatureOfScriptedAccount", what: "transaction" });
  return runVerifier();
}

function verifyOrder(order: Order, view: StateView, options: ProofOptions): bigint {
  if (!hasScript(orderSenderAddress(order), view)) {
    verifyOrderProof(order, options);
    return 0n;
  }
  if (order.version === 1) throw new RuleError({ code: "signatureOfScriptedAccount", what: "order" });
  return runVerifier();
}

function hasScript(account: Address, view: StateView): boolean {
  return view.findAccountScript(account) !== undefined;
}

/**
 * Runs the verifier of an account script.
 * @throws RuleError scriptsNotSupported: there is no evaluator yet, and nothing may pass without its verifier
 */
function runVerifier(): bigint {
  throw new RuleError({ code: "scriptsNotSupported", needed: "verifier of an account" });
}

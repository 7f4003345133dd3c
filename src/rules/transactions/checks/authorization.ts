/**
 * Authorization of a transaction: by the owner of the key, or by the account's script. On a dev chain, any client may
 * send for an impersonated account.
 * @source Waves: transaction/smart/Verifier.scala
 */

import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { describeViolation } from "../../../protocol/describe-violation.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { carriesSignature } from "../../../protocol/transactions/legacy-form.ts";
import type { Order } from "../../../protocol/transactions/order.ts";
import { hasProofs } from "../../../protocol/transactions/signer.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import type {
  AuthorizedTransaction,
  ExchangeTransaction,
  Script,
  Transaction,
} from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import type { AccountScript, StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { ordersBySide } from "../exchange-orders.ts";
import { countsSpentComplexity } from "../scripts/evaluation-rules.ts";
import type { VerifiedEntity } from "../scripts/run-verifier.ts";
import { refusalError, type Verdict, verdictOf } from "../scripts/verdict.ts";
import { orderSenderAddress, senderAddress } from "../sender-address.ts";
import { type ProofOptions, verifyOrderProof, verifyTransactionProof } from "./proofs.ts";

/**
 * @returns complexity that the account scripts spent
 * @throws RuleError proofCountWrong, proofInvalid, orderProofInvalid, signatureOfScriptedAccount, scriptFailed,
 *   scriptRefused
 */
export function verifyAuthorization(transaction: Transaction, view: StateView, context: BlockContext): number {
  if (!hasProofs(transaction)) return 0;
  if (transaction.type === TransactionType.Exchange) return verifyExchange(transaction, view, context);
  return verifySender(transaction, view, context);
}

/** Verifies the matcher first, then the senders of the sell and buy orders. */
function verifyExchange(transaction: ExchangeTransaction, view: StateView, context: BlockContext): number {
  const matcherComplexity = verifySender(transaction, view, context);
  const options = proofOptions(transaction, view, context);
  const { buy, sell } = ordersBySide(transaction);
  const orderComplexity = (order: Order): number =>
    isExempt(orderSenderAddress(order), transaction, view) ? 0 : verifyOrder(order, view, context, options);
  return matcherComplexity + orderComplexity(sell) + orderComplexity(buy);
}

function verifySender(transaction: AuthorizedTransaction, view: StateView, context: BlockContext): number {
  const account = senderAddress(transaction);
  if (isExempt(account, transaction, view)) return 0;
  const script = view.findAccountScript(account);
  if (script === undefined) {
    verifyTransactionProof(transaction, proofOptions(transaction, view, context));
    return 0;
  }
  if (carriesSignature(formatOf(transaction.type), transaction.version)) {
    throw new RuleError({ code: "signatureOfScriptedAccount", what: "transaction" });
  }
  return runSenderVerifier(transaction, account, script, view, context);
}

/**
 * Whether the account is an impersonated one of a dev chain, which needs neither proofs nor a script's approval. A
 * payment is excluded because its signature is its id, and before feature 15 blocks cannot hold transactions without
 * signatures.
 */
function isExempt(account: Address, { type }: Transaction, view: StateView): boolean {
  const { exemption } = view;
  if (exemption === undefined || type === TransactionType.Payment || !view.has(Feature.BlockV5)) return false;
  return exemption.covers(account);
}

/** Order verifiers add no step to the trace. */
function verifyOrder(order: Order, view: StateView, context: BlockContext, options: ProofOptions): number {
  const account = orderSenderAddress(order);
  const script = view.findAccountScript(account);
  if (script === undefined) {
    verifyOrderProof(order, options);
    return 0;
  }
  if (order.version === 1) throw new RuleError({ code: "signatureOfScriptedAccount", what: "order" });
  const { complexity, refusal } = runAccountVerifier({ kind: "order", order }, account, script, view, context, () =>
    verifyOrderProof(order, options),
  );
  if (refusal === undefined) return complexity;
  const { kind, error } = refusal;
  throw kind === "notBoolean" ? new RuleError({ code: "generic", message: error }) : refusalError(refusal, "account");
}

function runSenderVerifier(
  transaction: AuthorizedTransaction,
  account: Address,
  script: AccountScript,
  view: StateView,
  context: BlockContext,
): number {
  const options = proofOptions(transaction, view, context);
  const { complexity, refusal } = runAccountVerifier(
    { kind: "transaction", transaction },
    account,
    script,
    view,
    context,
    () => verifyTransactionProof(transaction, options),
  );
  context.trace?.push({ kind: "verifier", address: account, failure: refusal });
  if (refusal === undefined) return complexity;
  throw refusalError(refusal, "account");
}

/** @param verifyProof for a dApp without verifier: the account's own signature decides instead of a script */
function runAccountVerifier(
  entity: VerifiedEntity,
  account: Address,
  { script, verifierComplexity }: AccountScript,
  view: StateView,
  { trace }: BlockContext,
  verifyProof: () => void,
): Verdict {
  if (hasVerifier(script)) {
    const owner = { kind: "account", address: account } as const;
    return verdictOf({ view, script, owner, entity, isLogged: trace !== undefined }, verifierComplexity);
  }
  const complexity = countsSpentComplexity(view) ? 0 : Number(verifierComplexity);
  try {
    verifyProof();
    return { complexity, refusal: undefined };
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return { complexity, refusal: { kind: "failed", error: describeViolation(error.violation), log: [] } };
  }
}

function hasVerifier(script: Script): boolean {
  const parsed = cachedScript(script);
  return parsed.content === "expression" || parsed.dApp.verifier !== undefined;
}

function proofOptions(transaction: Transaction, view: StateView, { verifySignatures }: BlockContext): ProofOptions {
  return {
    // Payments ended long before weak keys were refused; the reference still verifies them the old way.
    refuseWeakKeys: transaction.type !== TransactionType.Payment && view.has(Feature.RideV6),
    verifySignatures,
  };
}

/**
 * Execution of a script with a boolean result: the verifier of an account, a dApp or an asset.
 * @source Waves: transaction/smart/script/ScriptRunner.scala
 */

import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { Order } from "../../../protocol/transactions/order.ts";
import type { Script } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import { cachedProgram, cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import { type Evaluation, evaluate } from "../../../ride/evaluator/evaluate.ts";
import { EvaluationLog, type LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import { ScriptError } from "../../../ride/evaluator/script-error.ts";
import { ExecutionError, NativeFailure, ScriptNotSupported } from "../../../ride/execution-error.ts";
import type { EntityShape } from "../../../ride/objects/entity-fields.ts";
import { findPaymentsError, invokeObject, type ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import { orderObject } from "../../../ride/objects/order-object.ts";
import { type ScriptTransaction, transactionObject } from "../../../ride/objects/transaction-object.ts";
import { type ScriptTransfer, transferObject } from "../../../ride/objects/transfer.ts";
import type { AnnotatedFunction } from "../../../ride/script/expression.ts";
import type { Structure, Value } from "../../../ride/values/value.ts";
import type { StateView } from "../../state/state-view.ts";
import { evaluationRules, isSumOverflowFixed, linkOptions } from "./evaluation-rules.ts";
import { type ScriptOwner, StateEnvironment, scriptTextOf } from "./state-environment.ts";

/** Subject of a verifier. */
export type VerifiedEntity =
  | { readonly kind: "transaction"; readonly transaction: ScriptTransaction }
  | { readonly kind: "order"; readonly order: Order }
  /** Transfer of an Ethereum wallet. */
  | { readonly kind: "transfer"; readonly transfer: ScriptTransfer }
  /** Call of an Ethereum wallet. */
  | { readonly kind: "invoke"; readonly invoke: ScriptInvoke }
  /** Action of a script; only asset scripts verify it. */
  | {
      readonly kind: "action";
      readonly transactionId: () => Uint8Array;
      readonly show: (shape: EntityShape) => Structure;
    };

export interface VerifierRequest {
  readonly view: StateView;
  readonly script: Script;
  readonly owner: ScriptOwner;
  readonly entity: VerifiedEntity;
  /** A script beyond this limit counts as true. Default: only the verifier's own limit, beyond which it fails. */
  readonly complexityLimit?: number | undefined;
  readonly isLogged?: boolean | undefined;
}

export interface VerifierRun {
  readonly result: Value | ExecutionError;
  readonly spentComplexity: number;
  readonly log: readonly LogEntry[];
}

const maxAccountVerifier = 2000;
/** No limit: a 32-bit integer, which the reference's message contains, too. */
const unlimited = 0x7fff_ffff;
/** Object version for verifiers of dApps before feature 16, whatever their own version. */
const oldBindingsVersion = 3;

/** Runs the script. A dApp without a verifier must not be given: its owner's signature decides. */
export function runVerifier(request: VerifierRequest): VerifierRun {
  const { view, script: bytes, owner, entity } = request;
  const script = cachedScript(bytes);
  const { libraryVersion, content } = script;
  const paymentsError = findEntityError(entity, libraryVersion, owner, view);
  if (paymentsError !== undefined) return { result: new ExecutionError(paymentsError), spentComplexity: 0, log: [] };

  const options = linkOptions(view, { libraryVersion, content, guards: owner.kind });
  const shape: EntityShape = {
    libraryVersion,
    hasProofs: owner.kind === "account",
    hasFixedScriptField: view.has(Feature.ConsensusImprovements),
  };
  const environment = new StateEnvironment({
    view,
    owner,
    transactionId: () => idOf(entity),
    input: () => objectOf(entity, shape, libraryVersion),
    libraryVersion,
  });
  const { complexityLimit, passes } = limitOf(request, libraryVersion);
  const log = request.isLogged ? new EvaluationLog() : undefined;
  const evaluation = { environment, rules: evaluationRules(view), complexityLimit, ...(log && { log }) };
  try {
    let result: Evaluation;
    if (script.content === "expression") {
      result = evaluate(script.expression, options, evaluation);
    } else {
      const program = cachedProgram(bytes, options);
      const hasOwnVersion = view.has(Feature.SynchronousCalls);
      const visibleShape = hasOwnVersion ? shape : { ...shape, libraryVersion: oldBindingsVersion };
      const object = objectOf(entity, visibleShape, libraryVersion);
      result = (program as NonNullable<typeof program>).verify(
        script.dApp.verifier as AnnotatedFunction,
        object,
        evaluation,
      );
    }
    const exceeded = new ExecutionError(`Verifier complexity limit = ${complexityLimit} is exceeded`);
    return {
      result: result.value ?? (passes || exceeded),
      spentComplexity: complexityLimit - result.unusedComplexity,
      log: log?.entries ?? [],
    };
  } catch (error) {
    if (error instanceof ScriptError) {
      return { result: error.error, spentComplexity: complexityLimit - error.unusedComplexity, log: error.log };
    }
    if (error instanceof ScriptNotSupported) {
      throw new RuleError({ code: "scriptNotSupported", reason: error.message }, { cause: error });
    }
    if (error instanceof NativeFailure) {
      const text = `Uncaught execution error: ${error.exception}: ${error.message}`;
      return { result: new ExecutionError(text), spentComplexity: 0, log: [] };
    }
    throw error;
  }
}

/** @returns `passes`: whether a script beyond the limit counts as true */
function limitOf({ view, owner, complexityLimit }: VerifierRequest, libraryVersion: number) {
  if (complexityLimit !== undefined) return { complexityLimit, passes: true };
  if (!isSumOverflowFixed(view)) return { complexityLimit: unlimited, passes: false };
  const assetLimit = libraryVersion < 3 ? 2000 : 4000;
  return { complexityLimit: owner.kind === "asset" ? assetLimit : maxAccountVerifier, passes: false };
}

function idOf(entity: VerifiedEntity): Uint8Array {
  switch (entity.kind) {
    case "transaction":
      return entity.transaction.id;
    case "transfer":
      return entity.transfer.id;
    case "invoke":
      return entity.invoke.id;
    case "action":
      return entity.transactionId();
    case "order":
      return new Uint8Array(0);
  }
}

function objectOf(entity: VerifiedEntity, shape: EntityShape, paymentVersion: number): Structure {
  switch (entity.kind) {
    case "transaction":
      return transactionObject(entity.transaction, shape, paymentVersion);
    case "order":
      return orderObject(entity.order, shape);
    case "transfer":
      return transferObject(entity.transfer, shape);
    case "invoke":
      return invokeObject(entity.invoke, shape, paymentVersion);
    case "action":
      return entity.show(shape);
  }
}

/** Error that keeps the script from seeing its subject. */
function findEntityError(
  entity: VerifiedEntity,
  libraryVersion: number,
  owner: ScriptOwner,
  view: StateView,
): string | undefined {
  const payments = paymentsOf(entity);
  return findPaymentsError(payments.length, {
    libraryVersion,
    allowsSeveral: view.activationHeight(Feature.BlockV5) !== undefined,
    script: scriptTextOf(owner),
  });
}

function paymentsOf(entity: VerifiedEntity): ScriptInvoke["payments"] {
  if (entity.kind === "invoke") return entity.invoke.payments;
  return entity.kind === "transaction" && entity.transaction.type === TransactionType.InvokeScript
    ? entity.transaction.payments
    : [];
}

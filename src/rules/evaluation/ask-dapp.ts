/**
 * A dApp's code evaluated for somebody who wants to know, with the changes that a call would make. The rules are those of
 * a transaction's call, without its sender's verifier and with the corrections of all features.
 * @source Waves: api/http/utils/UtilsEvaluator.scala (executeExpression), Evaluation.scala
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { I64_MAX } from "../../protocol/codec/i64.ts";
import { RuleError } from "../../protocol/faults.ts";
import { mergeSnapshots } from "../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { cachedScript } from "../../ride/evaluator/dapp-program.ts";
import {
  answerCall,
  answerExpression,
  type EvaluationAnswer,
  type EvaluationSetting,
} from "../../ride/evaluator/evaluation-answer.ts";
import { ExecutionError } from "../../ride/execution-error.ts";
import type { ScriptInvoke } from "../../ride/objects/invoke-object.ts";
import { emptyCallResult, joinCallResults } from "../../ride/results/call-result.ts";
import { parseScriptResult, type ScriptResult } from "../../ride/results/script-result.ts";
import type { Value } from "../../ride/values/value.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { checkBalances } from "../transactions/checks/balances.ts";
import { FailedTransaction, FailOrReject } from "../transactions/failed-transaction.ts";
import type { CallContext } from "../transactions/invoke/call-context.ts";
import { callDApp } from "../transactions/invoke/call-dapp.ts";
import { CallTracker } from "../transactions/invoke/call-tracker.ts";
import { DAppEnvironment } from "../transactions/invoke/dapp-environment.ts";
import { rootCall } from "../transactions/invoke/invocation.ts";
import { fullAllowance, maxCalls, maxTotalPayments } from "../transactions/invoke/limits.ts";
import { askPaidAssets } from "../transactions/invoke/paid-asset-scripts.ts";
import { paymentsSnapshot, processActions } from "../transactions/invoke/process-actions.ts";
import { evaluationRules, linkFacts } from "../transactions/scripts/evaluation-rules.ts";
import { type AnsweredDApp, type AskedCode, type DAppQuestion, nobodysKey } from "./dapp-question.ts";

/** What nobody is taken to own, so that a call may be tried with payments. */
const nobodysWavelets = I64_MAX / 10n;
/** Fee of a call with an extra script: what an expression is taken to have paid. */
const expressionFee = 2_000_000n;

/** @throws RuleError what the dApp's actions break */
export function askDApp(question: DAppQuestion, published: StateView): AnsweredDApp {
  try {
    return ask(question, published);
  } catch (error) {
    if (error instanceof FailedTransaction) throw new RuleError({ code: "generic", message: error.asText });
    if (error instanceof FailOrReject) throw new RuleError({ code: "callBreaksRule", message: error.message });
    throw error;
  }
}

function ask({ dApp, code, balances, complexityLimit, nowMs }: DAppQuestion, published: StateView): AnsweredDApp {
  const view = new OverlayView(published, { height: published.height });
  view.apply({ balances });
  const account = view.findAccountScript(dApp);
  if (account === undefined) throw new RuleError({ code: "generic", message: "There is no script" });
  const script = cachedScript(account.script);
  if (script.content !== "dApp") throw new Error("an expression has no callables");
  const { libraryVersion } = script;
  const root = rootOf(code, dApp, { chainId: view.settings.chainId, nowMs });
  const call = rootCall(root, dApp);
  const payments = paymentsSnapshot(call, view);
  const context: CallContext = {
    root,
    rootVersion: libraryVersion,
    isLimited: false,
    totalComplexityLimit: complexityLimit,
    isLogged: true,
  };
  const environment = new DAppEnvironment({
    context,
    view,
    payments,
    dApp,
    dAppKey: account.publicKey,
    libraryVersion,
    allowance: fullAllowance(libraryVersion),
    remainingCalls: maxCalls,
    remainingPayments: maxTotalPayments,
    calledAddresses: new Set(),
    tracker: new CallTracker({ dApp, function: "", args: [], payments: [] }),
    callDApp,
  });
  const answer = evaluated(code, root, {
    dApp: script.dApp,
    facts: linkFacts(view, { libraryVersion, content: "dApp", guards: "account" }),
    environment,
    rules: {
      ...evaluationRules(view),
      checksConstructorArguments: true,
      hasFixedThrownError: true,
      hasSynchronousCallFixes: true,
      hasPrecisePowers: true,
    },
    complexityLimit,
  });
  if (answer.kind !== "value") return { answer, result: emptyCallResult };
  const scriptResult = resultOf(answer.value, { libraryVersion, environment, view });
  const viewAfterCalls = new OverlayView(view, { height: view.height });
  viewAfterCalls.apply(environment.currentSnapshot());
  const effect =
    scriptResult &&
    processActions({
      call,
      context,
      actions: scriptResult.actions,
      libraryVersion,
      dAppKey: account.publicKey,
      view: viewAfterCalls,
      viewBefore: viewAfterCalls,
      blockTimestamp: BigInt(nowMs),
      complexity: answer.complexity,
      otherIssues: [],
      log: answer.log,
    });
  checkOutcome(mergeSnapshots(payments, effect?.snapshot ?? {}), view);
  askPaidAssets(root, "payment", { view, context: {}, spent: 0 });
  return { answer, result: joinCallResults(environment.currentResult(), effect?.result ?? emptyCallResult) };
}

function evaluated(code: AskedCode, root: ScriptInvoke, setting: EvaluationSetting): EvaluationAnswer {
  const caller = code.kind === "call" ? code.sender : root.sender;
  const invocation = {
    caller,
    callerPublicKey: root.senderPublicKey,
    originCaller: caller,
    originCallerPublicKey: root.senderPublicKey,
    transactionId: code.kind === "call" ? code.transactionId : nobodysKey,
    feeWavelets: code.kind === "call" ? code.feeWavelets : 0n,
    feeAssetId: root.feeAsset,
    payments: root.payments.map(({ asset, amount }) => ({ assetId: asset, amount })),
    hasPaymentList: code.kind === "call",
  };
  return code.kind === "call"
    ? answerCall(code.function, code.args, invocation, setting)
    : answerExpression(code.expression, invocation, setting);
}

/** The transaction that would make the call. */
function rootOf(
  code: AskedCode,
  dApp: Address,
  { chainId, nowMs }: { readonly chainId: number; readonly nowMs: number },
): ScriptInvoke {
  const common = {
    dApp: { kind: "address", address: dApp } as const,
    timestamp: BigInt(nowMs),
    version: 1,
    bodyBytes: new Uint8Array(0),
    proofs: [],
  };
  if (code.kind === "expression") {
    return {
      ...common,
      id: new Uint8Array(0),
      fee: expressionFee,
      feeAsset: null,
      sender: addressOfPublicKey(nobodysKey, chainId),
      senderPublicKey: nobodysKey,
      function: "",
      args: [],
      payments: [],
    };
  }
  const { transactionId, feeWavelets, feeAsset, senderPublicKey, args, payments } = code;
  return {
    ...common,
    id: transactionId,
    fee: feeWavelets,
    feeAsset,
    // Whoever is said to call, the owner of the key pays.
    sender: addressOfPublicKey(senderPublicKey as PublicKey, chainId),
    senderPublicKey,
    function: code.function,
    args,
    payments,
  };
}

/** Undefined: the value is no list of actions. */
function resultOf(
  value: Value,
  facts: { readonly libraryVersion: number; readonly environment: DAppEnvironment; readonly view: StateView },
): ScriptResult | undefined {
  const { libraryVersion, environment, view } = facts;
  const allowsAliases = view.activationHeight(Feature.BlockV5) !== undefined;
  try {
    return parseScriptResult(value, { libraryVersion, environment, allowsAliases });
  } catch (error) {
    if (error instanceof ExecutionError) return undefined;
    throw error;
  }
}

/** @throws RuleError balancesInvalid */
function checkOutcome(snapshot: Snapshot, view: StateView): void {
  const nobody = addressOfPublicKey(nobodysKey, view.settings.chainId);
  const after = new OverlayView(view, { height: view.height });
  after.apply(snapshot);
  const balance = after.balance(nobody, null);
  const helped =
    balance >= nobodysWavelets
      ? snapshot
      : mergeSnapshots(snapshot, { balances: [{ address: nobody, asset: null, balance: balance + nobodysWavelets }] });
  checkBalances(helped, view);
}

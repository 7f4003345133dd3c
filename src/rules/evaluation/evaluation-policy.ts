/**
 * Policy of an evaluated call. It runs like a transaction's call, without the verifier of its sender and with the
 * corrections of all features. The anonymous sender has enough to pay.
 * @source Waves: api/http/utils/UtilsEvaluator.scala (executeExpression), Evaluation.scala
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { Feature } from "../../network/features.ts";
import { I64_MAX } from "../../protocol/codec/i64.ts";
import { mergeSnapshots } from "../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { cachedScript } from "../../ride/evaluator/dapp-program.ts";
import { type EvaluationResult, evaluateCall, evaluateExpression } from "../../ride/evaluator/evaluation-result.ts";
import { ExecutionError } from "../../ride/execution-error.ts";
import type { CallResult } from "../../ride/results/call-result.ts";
import { parseScriptResult, type ScriptResult } from "../../ride/results/script-result.ts";
import type { Value } from "../../ride/values/value.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { checkBalances } from "../transactions/checks/balances.ts";
import type { CallContext } from "../transactions/invoke/call-context.ts";
import type { CallBudget, CallPolicy, ResultParts } from "../transactions/invoke/call-policy.ts";
import type { CallRequest, CompletedCall } from "../transactions/invoke/call-request.ts";
import { type Callee, getCallee } from "../transactions/invoke/callee.ts";
import { fullAllowance } from "../transactions/invoke/limits.ts";
import { runPaidAssetScripts } from "../transactions/invoke/paid-asset-scripts.ts";
import type { CallableRequest, CallableRun } from "../transactions/invoke/run-callable.ts";
import { evaluationRules, linkOptions } from "../transactions/scripts/evaluation-rules.ts";
import { anonymousKey, type DAppEvaluationRequest } from "./dapp-evaluation.ts";
import { evaluatedInvocation } from "./evaluated-invocation.ts";

/** Assumed balance of the anonymous sender, which lets a client try calls with payments. */
const anonymousWavelets = I64_MAX / 10n;

/** The callable gave no value: the policy's `answer` is the whole result. */
export class NoValue extends Error {
  override readonly name = "NoValue";
}

export class EvaluationPolicy implements CallPolicy {
  /** In every version: payments of old dApps are moved again with the actions. */
  readonly paymentsCreditedSince = 0;
  /** An evaluation ignores the shared limits of all calls, but not the limits of a single call. */
  readonly hasSharedLimits = false;
  readonly #request: CallRequest;
  readonly #evaluationRequest: DAppEvaluationRequest;
  #evaluation: EvaluationResult | undefined;

  constructor(request: CallRequest, evaluationRequest: DAppEvaluationRequest) {
    this.#request = request;
    this.#evaluationRequest = evaluationRequest;
  }

  /** Evaluation of the callable, after its run. */
  get evaluation(): EvaluationResult {
    if (this.#evaluation === undefined) throw new Error("the call was not made yet");
    return this.#evaluation;
  }

  callee(): Callee {
    const { call, view } = this.#request;
    return getCallee(call.dApp, view, "There is no script");
  }

  context({ libraryVersion }: Callee): CallContext {
    return {
      root: this.#request.call.root,
      rootVersion: libraryVersion,
      isLimited: false,
      totalComplexityLimit: this.#evaluationRequest.complexityLimit,
      isLogged: true,
    };
  }

  /** Payments of the evaluated call itself do not count. */
  budget({ libraryVersion }: Callee): CallBudget {
    return {
      complexity: this.#evaluationRequest.complexityLimit,
      spentOnPayments: 0,
      countedForPayments: 0,
      allowance: fullAllowance(libraryVersion, 0),
    };
  }

  /** @throws NoValue */
  run(callable: CallableRequest): CallableRun {
    const { call, complexityLimit } = callable;
    const evaluation = evaluated(
      this.#evaluationRequest,
      callable,
      evaluatedInvocation(this.#evaluationRequest.code, call.root),
    );
    this.#evaluation = evaluation;
    if (evaluation.kind !== "value") throw new NoValue("the script that was asked came to no value");
    const { value, complexity, log } = evaluation;
    return { result: resultOf(value, callable), unusedComplexity: complexityLimit - complexity, log };
  }

  /** The value is no list of actions: nothing to process. */
  complexityWithoutResult(): undefined {
    return undefined;
  }

  actionsTimestamp(): bigint {
    return BigInt(this.#evaluationRequest.nowMs());
  }

  /** The fee is checked, except for the issues of nested calls. */
  issuesPaidFor(): CallResult["issues"] {
    return [];
  }

  /** Checks of a transaction after its call; changes by nested calls are not checked. */
  checkResult(_: CompletedCall, { payments, actions }: ResultParts): void {
    const { call, view } = this.#request;
    checkBalancesWithAnonymous(mergeSnapshots(payments, actions), view);
    runPaidAssetScripts(call.root, "payment", { view, context: {}, spent: 0 });
  }
}

function evaluated(
  { code }: DAppEvaluationRequest,
  { script, libraryVersion, environment, view, complexityLimit }: CallableRequest,
  invocation: ReturnType<typeof evaluatedInvocation>,
): EvaluationResult {
  const parsed = cachedScript(script);
  if (parsed.content !== "dApp") throw new Error("an expression has no callables");
  const options = {
    dApp: parsed.dApp,
    linkOptions: linkOptions(view, { libraryVersion, content: "dApp", guards: "account" }),
    environment,
    rules: {
      ...evaluationRules(view),
      checksConstructorArguments: true,
      hasFixedThrownError: true,
      hasSynchronousCallFixes: true,
      hasPrecisePowers: true,
      keepsLeadingZeros: true,
    },
    complexityLimit,
  };
  return code.kind === "call"
    ? evaluateCall(code.function, code.args, invocation, options)
    : evaluateExpression(code.expression, invocation, options);
}

/** Undefined: the value is no list of actions. This is no error here: expressions give values of any type. */
function resultOf(value: Value, { libraryVersion, environment, view }: CallableRequest): ScriptResult | undefined {
  const allowsAliases = view.activationHeight(Feature.BlockV5) !== undefined;
  try {
    return parseScriptResult(value, { libraryVersion, environment, allowsAliases });
  } catch (error) {
    if (error instanceof ExecutionError) return undefined;
    throw error;
  }
}

/** @throws RuleError balancesInvalid */
function checkBalancesWithAnonymous(snapshot: Snapshot, view: StateView): void {
  const anonymous = addressOfPublicKey(anonymousKey, view.settings.chainId);
  const after = new OverlayView(view, { height: view.height });
  after.apply(snapshot);
  const balance = after.balance(anonymous, null);
  const withReserve =
    balance >= anonymousWavelets
      ? snapshot
      : mergeSnapshots(snapshot, {
          balances: [{ address: anonymous, asset: null, balance: balance + anonymousWavelets }],
        });
  checkBalances(withReserve, view);
}

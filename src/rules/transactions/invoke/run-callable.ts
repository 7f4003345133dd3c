/**
 * Execution of a callable, and parsing of its result.
 * @source Waves: lang/v1/evaluator/ContractEvaluator.scala; state/diffs/invoke/InvokeDiffsCommon.scala
 *   (checkScriptResultFields)
 */
import { Feature } from "../../../network/features.ts";
import type { Script } from "../../../protocol/transactions/transaction.ts";
import { CallFailure } from "../../../ride/call-failure.ts";
import { cachedProgram } from "../../../ride/evaluator/dapp-program.ts";
import type { Environment } from "../../../ride/evaluator/environment.ts";
import { EvaluationLog, type LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import { ScriptError } from "../../../ride/evaluator/script-error.ts";
import { ExecutionError, NativeFailure } from "../../../ride/execution-error.ts";
import type { CallableAction } from "../../../ride/results/callable-action.ts";
import { parseScriptResult, type ScriptResult } from "../../../ride/results/script-result.ts";
import type { StateView } from "../../state/state-view.ts";
import { FailedTransaction, FailOrReject } from "../failed-transaction.ts";
import { evaluationRules, linkOptions } from "../scripts/evaluation-rules.ts";
import { findTextError } from "./action-effects.ts";
import type { RemainingComplexity } from "./call-context.ts";
import type { Call } from "./invocation.ts";

export interface CallableRequest {
  readonly call: Call;
  readonly script: Script;
  readonly libraryVersion: number;
  readonly environment: Environment;
  readonly view: StateView;
  readonly complexityLimit: number;
  readonly isLogged: boolean;
  readonly remaining?: RemainingComplexity | undefined;
}

export interface CallableRun {
  /** Undefined: complexity ran out before there was a result. */
  readonly result: ScriptResult | undefined;
  readonly unusedComplexity: number;
  readonly log: readonly LogEntry[];
}

/** Failure of a call without a result. */
export class CallableFailure extends Error {
  readonly error: string;
  readonly unusedComplexity: number;
  readonly log: readonly LogEntry[];
  /** Set if a historical rule refuses the transaction. */
  readonly refusal: FailOrReject | undefined;
  /** Whether the error is in the callable's result, not in its execution. */
  readonly isOwnResult: boolean;

  constructor(
    options: Pick<CallableRun, "unusedComplexity" | "log"> & {
      readonly error: string;
      readonly refusal?: FailOrReject;
      readonly isOwnResult?: boolean;
    },
  ) {
    super(options.error);
    this.error = options.error;
    this.unusedComplexity = options.unusedComplexity;
    this.log = options.log;
    this.refusal = options.refusal;
    this.isOwnResult = options.isOwnResult ?? false;
  }
}

/** @throws CallableFailure; NativeFailure: the result's objects lack fields */
export function runCallable(request: CallableRequest): CallableRun {
  const { call, script, libraryVersion, environment, view, complexityLimit, isLogged, remaining } = request;
  const options = linkOptions(view, { libraryVersion, content: "dApp", guards: "account" });
  const program = cachedProgram(script, options);
  if (program === undefined) throw new Error("an expression has no callables");
  const log = isLogged ? new EvaluationLog() : undefined;
  const entries = log?.entries ?? [];
  try {
    const { value, unusedComplexity } = program.invoke(call.nativeId ?? call.function, call.args, invocationOf(call), {
      environment,
      rules: evaluationRules(view),
      complexityLimit,
      ...(log && { log }),
    });
    noteRemaining(remaining, unusedComplexity);
    if (value === undefined) return { result: undefined, unusedComplexity, log: entries };
    const result = readResult(() =>
      parseScriptResult(value, {
        libraryVersion,
        environment,
        allowsAliases: view.activationHeight(Feature.BlockV5) !== undefined,
      }),
    );
    if (result instanceof ExecutionError)
      throw new CallableFailure({ error: result.message, unusedComplexity, log: entries });
    checkFields(result.actions, libraryVersion, view, { unusedComplexity, log: entries });
    return { result, unusedComplexity, log: entries };
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    noteRemaining(remaining, error.unusedComplexity);
    throw failureOf(error);
  }
}

/** Size of a transaction id, by an account's own key or by an Ethereum wallet. */
const ID_BYTES = 32;

/** Records the remaining complexity: a caller does not know how much a failed call has spent. */
function noteRemaining(left: RemainingComplexity | undefined, unused: number): void {
  if (left !== undefined) left.least = Math.min(left.least ?? unused, unused);
}

function readResult(read: () => ScriptResult): ScriptResult | ExecutionError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ExecutionError && !(error instanceof NativeFailure)) return error;
    throw error;
  }
}

function failureOf({ error, unusedComplexity, log }: ScriptError): CallableFailure {
  const cause = error instanceof CallFailure ? error.cause : undefined;
  if (cause instanceof FailOrReject) {
    return new CallableFailure({ error: cause.message, unusedComplexity, log, refusal: cause });
  }
  const text = cause instanceof FailedTransaction ? (cause.info.error ?? error.message) : error.message;
  return new CallableFailure({ error: text, unusedComplexity, log });
}

function invocationOf({ root, sender, senderKey, payments }: Call) {
  return {
    caller: sender,
    callerPublicKey: senderKey,
    originCaller: root.sender,
    originCallerPublicKey: root.senderPublicKey,
    transactionId: { sizeBytes: ID_BYTES, read: () => root.id },
    feeWavelets: root.fee,
    feeAssetId: root.feeAsset,
    payments: payments.map(({ asset, amount }) => ({ assetId: asset, amount })),
  };
}

/** @throws CallableFailure */
function checkFields(
  actions: readonly CallableAction[],
  libraryVersion: number,
  view: StateView,
  run: Pick<CallableRun, "unusedComplexity" | "log">,
): void {
  if (libraryVersion < 4) return;
  const error = actions.map(findFieldError).find((text) => text !== undefined);
  if (error === undefined) return;
  if (view.has(Feature.RideV6)) {
    throw new CallableFailure({ ...run, error: `GenericError(${error})` });
  }
  if (view.height >= view.settings.functionality.enforceTransferValidationAfter) {
    throw new CallableFailure({ ...run, error, refusal: new FailOrReject(error), isOwnResult: true });
  }
}

function findFieldError(action: CallableAction): string | undefined {
  const negative = (name: string, amount: bigint): string | undefined =>
    amount < 0n ? `Negative ${name} = ${amount}` : undefined;
  switch (action.kind) {
    case "reissue":
      return negative("reissue quantity", action.quantity);
    case "burn":
      return negative("burn quantity", action.quantity);
    case "transfer":
      return negative("transfer amount", action.amount);
    case "lease":
      return negative("lease amount", action.amount);
    case "sponsorFee":
      return negative("sponsor amount", action.minSponsoredAssetFee ?? 0n);
    case "issue":
      return findTextError(action);
    default:
      return undefined;
  }
}

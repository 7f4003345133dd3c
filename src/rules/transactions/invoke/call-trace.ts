/**
 * Calls as steps of a trace: arguments, result, nested calls.
 * @source Waves: transaction/smart/script/trace/TraceStep.scala (InvokeScriptTrace)
 */

import { addressText } from "../../../crypto/address.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import { equalBytes } from "../../../crypto/bytes.ts";
import type { Address } from "../../../crypto/identities.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import { leaseReferenceJson } from "../../../protocol/transactions/lease-json.ts";
import { recipientText } from "../../../protocol/transactions/recipient.ts";
import type { LeaseId, Recipient } from "../../../protocol/transactions/transaction.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { ResultLease } from "../../../ride/results/call-result.ts";
import { type CallResultStyle, callResultJson, plainLease } from "../../../ride/results/call-result-json.ts";
import type { CallableAction } from "../../../ride/results/callable-action.ts";
import { type NamedAccounts, resultOfActions } from "../../../ride/results/result-of-actions.ts";
import { logJson } from "../../../ride/values/log-json.ts";
import type { Value } from "../../../ride/values/value.ts";
import { valueText } from "../../../ride/values/value-text.ts";
import type { StateView } from "../../state/state-view.ts";
import { stepResultJson, type TraceStep } from "../scripts/trace.ts";
import type { CallTracker } from "./call-tracker.ts";
import { asStepFailure, type CallError } from "./refusal-text.ts";

interface TracedResult {
  readonly actions?: readonly CallableAction[] | undefined;
  readonly error?: CallError | undefined;
  readonly log: readonly LogEntry[];
}

/**
 * Trace step of the transaction's call, as of the end of its script.
 * @param view state that the script has seen last, at the height of the block that the transaction would be in
 */
export function callStep(root: ScriptInvoke, result: TracedResult, tracker: CallTracker, view: StateView): TraceStep {
  const target = { account: tracker.call.dApp, dApp: root.dApp, function: root.function, args: root.args };
  const call = { target, result: result, invocations: tracker.calls.map(recorded) };
  const { height } = view;
  const ended = endedLeases(call, view);
  return { kind: "printed", json: (isLogged, style) => stepJson(call, { root, height, ended, isLogged, style }) };
}

/** Leases of the state that the call and its nested calls cancel, by their ids in base58. */
function endedLeases(call: Recorded, view: StateView): ReadonlyMap<string, JsonObject> {
  const { chainId } = view.settings;
  const own = (call.result.actions ?? []).flatMap((action): readonly (readonly [string, JsonObject])[] => {
    const lease = action.kind === "leaseCancel" ? view.findLease(action.leaseId as LeaseId) : undefined;
    if (lease === undefined || action.kind !== "leaseCancel") return [];
    return [
      [encodeBase58(action.leaseId), leaseReferenceJson(action.leaseId, { ...lease, id: action.leaseId }, chainId)],
    ];
  });
  return new Map([...own, ...call.invocations.flatMap((inner) => [...endedLeases(inner, view)])]);
}

interface Recorded {
  readonly target: {
    readonly account: Address;
    /** Recipient in the caller's form. */
    readonly dApp: Recipient;
    readonly function: string;
    readonly args: readonly Value[];
  };
  readonly result: TracedResult;
  readonly invocations: readonly Recorded[];
}

function recorded({ call, calls, actions, error, log }: CallTracker): Recorded {
  return {
    target: {
      account: call.dApp,
      dApp: { kind: "address", address: call.dApp },
      function: call.function,
      args: call.args,
    },
    result: { actions, error: error ?? noResult, log },
    invocations: calls.map(recorded),
  };
}

const noResult = new RuleError({ code: "generic", message: "No result" });

interface StepContext {
  readonly root: ScriptInvoke;
  readonly height: number;
  /** See `endedLeases`. */
  readonly ended: ReadonlyMap<string, JsonObject>;
  readonly isLogged: boolean;
  /** Undefined: leases are printed as they will be. */
  readonly style: CallResultStyle | undefined;
}

function stepJson({ target, result: outcome, invocations }: Recorded, context: StepContext): JsonObject {
  const { actions, error, log } = outcome;
  const result = resultOfActions(actions ?? [], () => context.root.id, asNamed);
  const ending =
    actions === undefined && error !== undefined
      ? failureJson(error)
      : {
          ...stepResultJson(undefined),
          result: callResultJson(
            result,
            context.style ?? { lease: plannedLease(target.account, result.leases, context) },
          ),
        };
  return {
    type: "dApp",
    id: recipientText(target.dApp),
    function: target.function,
    args: target.args.map(valueText),
    invocations: invocations.map((inner) => stepJson(inner, context)),
    ...ending,
    ...(context.isLogged && { vars: logJson(log) }),
  };
}

/**
 * Prints the action's own data of a lease, and the lease that it would be (docs/protocol/rest-api.md 6, row 7).
 * @param leases of the same call
 */
function plannedLease(
  dApp: Address,
  leases: readonly ResultLease[],
  { root, height, ended }: StepContext,
): NonNullable<CallResultStyle["lease"]> {
  const planned = (leaseId: Uint8Array, made: ResultLease): JsonObject => ({
    ...plainLease(leaseId, made),
    originTransactionId: encodeBase58(root.id),
    sender: addressText(dApp),
    height,
    status: "active",
    cancelHeight: null,
    cancelTransactionId: null,
  });
  return (leaseId, made) => {
    if (made !== undefined) return planned(leaseId, made);
    const own = leases.find((lease) => equalBytes(lease.leaseId, leaseId));
    const lease = own === undefined ? ended.get(encodeBase58(leaseId)) : planned(leaseId, own);
    if (lease === undefined) return plainLease(leaseId, undefined);
    return { ...lease, status: "canceled", cancelHeight: height, cancelTransactionId: encodeBase58(root.id) };
  };
}

function failureJson(error: CallError): JsonObject {
  const isRejection = error instanceof RuleError && error.violation.code === "callRejected";
  return stepResultJson(
    isRejection
      ? { error: `InvokeRejectError(error = ${error.violation.message})`, log: undefined }
      : asStepFailure(error),
  );
}

/** Chain id of recipients in a trace: leases are printed without it. */
const transactionChain = 0;

/** Accounts in the script's form: a trace may contain actions that no transaction could have. */
const asNamed: NamedAccounts = {
  address: (bytes) => bytes as Address,
  recipient: (recipient) =>
    recipient.kind === "address"
      ? { kind: "address", address: recipient.bytes as Address }
      : { kind: "alias", alias: { chainId: transactionChain, name: recipient.alias } },
};

/**
 * Calls as steps of a trace: what each was called with, what came of it, the calls below it.
 * @source Waves: transaction/smart/script/trace/TraceStep.scala (InvokeScriptTrace)
 */

import { addressText } from "../../../crypto/address.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import type { Address } from "../../../crypto/identities.ts";
import { RuleError } from "../../../protocol/faults.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import { recipientText } from "../../../protocol/transactions/recipient.ts";
import type { Recipient } from "../../../protocol/transactions/transaction.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import { type CallResultStyle, callResultJson, plainLease } from "../../../ride/results/call-result-json.ts";
import type { CallableAction } from "../../../ride/results/callable-action.ts";
import { type NamedAccounts, resultOfActions } from "../../../ride/results/result-of-actions.ts";
import { logJson } from "../../../ride/values/log-json.ts";
import type { Value } from "../../../ride/values/value.ts";
import { valueText } from "../../../ride/values/value-text.ts";
import { outcomeJson, type TraceStep } from "../scripts/trace.ts";
import type { CallTracker } from "./call-tracker.ts";
import { asStepFailure, type CallError } from "./refusal-text.ts";

interface CallOutcome {
  readonly actions?: readonly CallableAction[] | undefined;
  readonly error?: CallError | undefined;
  readonly log: readonly LogEntry[];
}

/**
 * The call of the transaction, as it stands when its script has ended.
 * @param height of the block that the transaction would be in
 */
export function callStep(root: ScriptInvoke, outcome: CallOutcome, tracker: CallTracker, height: number): TraceStep {
  const facts = { account: tracker.call.dApp, dApp: root.dApp, function: root.function, args: root.args };
  const invocations = tracker.calls.map(recorded);
  return {
    kind: "printed",
    json: (isLogged, style) => stepJson({ facts, outcome, invocations }, { root, height, isLogged, style }),
  };
}

interface Recorded {
  readonly facts: {
    readonly account: Address;
    /** As the caller names it. */
    readonly dApp: Recipient;
    readonly function: string;
    readonly args: readonly Value[];
  };
  readonly outcome: CallOutcome;
  readonly invocations: readonly Recorded[];
}

function recorded({ call, calls, actions, error, log }: CallTracker): Recorded {
  return {
    facts: {
      account: call.dApp,
      dApp: { kind: "address", address: call.dApp },
      function: call.function,
      args: call.args,
    },
    outcome: { actions, error: error ?? noResult, log },
    invocations: calls.map(recorded),
  };
}

const noResult = new RuleError({ code: "generic", message: "No result" });

interface Shown {
  readonly root: ScriptInvoke;
  readonly height: number;
  readonly isLogged: boolean;
  /** Undefined: leases are shown as they will be. */
  readonly style: CallResultStyle | undefined;
}

function stepJson({ facts, outcome, invocations }: Recorded, shown: Shown): JsonObject {
  const { actions, error, log } = outcome;
  const ending =
    actions === undefined && error !== undefined
      ? failureJson(error)
      : {
          ...outcomeJson(undefined),
          result: callResultJson(
            resultOfActions(actions ?? [], shown.root.id, asNamed),
            shown.style ?? { lease: plannedLease(facts.account, shown) },
          ),
        };
  return {
    type: "dApp",
    id: recipientText(facts.dApp),
    function: facts.function,
    args: facts.args.map(valueText),
    invocations: invocations.map((inner) => stepJson(inner, shown)),
    ...ending,
    ...(shown.isLogged && { vars: logJson(log) }),
  };
}

/** What the action says of a lease, and the lease that it would be (spec/rest-api.md 6, row 7). */
function plannedLease(dApp: Address, { root, height }: Shown): NonNullable<CallResultStyle["lease"]> {
  return (leaseId, made) => ({
    ...plainLease(leaseId, made),
    ...(made !== undefined && {
      originTransactionId: encodeBase58(root.id),
      sender: addressText(dApp),
      height,
      status: "active",
      cancelHeight: null,
      cancelTransactionId: null,
    }),
  });
}

function failureJson(error: CallError): JsonObject {
  const isRejection = error instanceof RuleError && error.fault.code === "callRejected";
  return outcomeJson(
    isRejection ? { error: `InvokeRejectError(error = ${error.fault.message})`, log: undefined } : asStepFailure(error),
  );
}

/** What is printed of leases in a trace has no chain. */
const transactionChain = 0;

/** As the script named them: a trace may show what no transaction could do. */
const asNamed: NamedAccounts = {
  address: (bytes) => bytes as Address,
  recipient: (recipient) =>
    recipient.kind === "address"
      ? { kind: "address", address: recipient.bytes as Address }
      : { kind: "alias", alias: { chainId: transactionChain, name: recipient.alias } },
};

/**
 * Calls of other dApps: `invoke` and `reentrantInvoke`.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Functions.scala (callDAppF)
 */

import { CallFailure } from "../call-failure.ts";
import type { DAppCall, Environment } from "../evaluator/environment.ts";
import { ExecutionError, ScriptNotSupported, ThrownError } from "../execution-error.ts";
import { Text } from "../values/text.ts";
import { List, Structure, type Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import { type NativeFunction, refusal } from "./function-definition.ts";

const usage = "invoke(dApp: Address, func: String, args: List[Any], payments: List[Payment])";
const defaultFunction = "default";

/** Arguments are read in order, and the error is about the first wrong one. */
export function callOut(isReentrant: boolean): NonNullable<NativeFunction["callOut"]> {
  return (args, { environment }, availableComplexity) => {
    if (environment.callDApp === undefined) throw new ScriptNotSupported("calls of other dApps are not supported");
    const dApp = dAppOf(args, environment);
    const functionName = functionOf(args);
    const payments = paymentsOf(args);
    const functionArgs = args[2];
    if (!(functionArgs instanceof List)) {
      const cause = refusal(args, usage);
      throw new CallFailure(cause.message, 0, { cause });
    }
    const call: DAppCall = {
      dApp,
      function: functionName,
      args: functionArgs.items,
      payments,
      isReentrant,
      availableComplexity,
    };
    const { value, spentComplexity, log = [] } = environment.callDApp(call);
    return { value, unusedComplexity: availableComplexity - spentComplexity, log };
  };
}

function dAppOf(args: readonly Value[], environment: Environment): Uint8Array {
  const [dApp] = args;
  if (dApp === undefined) throw unexpectedArgs(args);
  if (dApp instanceof Structure && dApp.type === "Address") {
    const bytes = dApp.fields.get("bytes");
    if (bytes instanceof Uint8Array) return bytes;
    throw new ThrownError(`Unexpected address bytes ${optionText(bytes)}`);
  }
  if (dApp instanceof Structure && dApp.type === "Alias") {
    const alias = dApp.fields.get("alias");
    if (!(alias instanceof Text)) throw new ThrownError(`Unexpected alias arg ${optionText(alias)}`);
    try {
      return environment.resolveAlias(alias.text);
    } catch (error) {
      if (error instanceof ExecutionError && error.constructor === ExecutionError) throw new ThrownError(error.message);
      throw error;
    }
  }
  throw new ThrownError(`Unexpected recipient arg ${valueText(dApp)}`);
}

function functionOf(args: readonly Value[]): string {
  const name = args[1];
  if (name === undefined) throw unexpectedArgs(args);
  if (name instanceof Text) return name.text;
  if (name instanceof Structure && name.type === "Unit") return defaultFunction;
  throw new ThrownError(`Unexpected name arg ${valueText(name)}`);
}

function paymentsOf(args: readonly Value[]): DAppCall["payments"] {
  const payments = args[3];
  if (args.length !== 4 || !(payments instanceof List)) {
    throw new ExecutionError(`Unexpected args ${listText(args)}`);
  }
  return payments.items.map((payment) => {
    if (!(payment instanceof Structure) || payment.type !== "AttachedPayment") {
      throw new ThrownError(`Unexpected payment arg ${valueText(payment)}`);
    }
    const fields = ["assetId", "amount"].flatMap((name) => payment.fields.get(name) ?? []);
    const [assetId, amount] = fields;
    if (typeof amount === "bigint") {
      if (assetId instanceof Uint8Array) return { assetId, amount };
      if (assetId instanceof Structure && assetId.type === "Unit") return { assetId: null, amount };
    }
    throw new ThrownError(`Unexpected payment args ${listText(fields)}`);
  });
}

function unexpectedArgs(args: readonly Value[]): ThrownError {
  return new ThrownError(`Unexpected args ${listText(args)}`);
}

function optionText(value: Value | undefined): string {
  return value === undefined ? "None" : `Some(${valueText(value)})`;
}

function listText(values: readonly Value[]): string {
  return `List(${values.map(valueText).join(", ")})`;
}

/**
 * Calls by Ethereum wallets: the called dApp gives the meaning of the call data.
 * @source Waves: transaction/EthereumTransaction.scala (Invocation), state/diffs/EthereumTransactionDiff.scala
 */
import { addressText } from "../../../crypto/address.ts";
import { hexText } from "../../../crypto/hex.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { type EthereumPayload, ethereumPayload } from "../../../protocol/transactions/ethereum.ts";
import { invokeDataBytes } from "../../../protocol/transactions/invoke-script.ts";
import type { EthereumTransaction } from "../../../protocol/transactions/transaction.ts";
import { CallDataError, CallValueError, decodeCallData } from "../../../ride/abi/call-data.ts";
import { findCallableAbi, SELECTOR_BYTES } from "../../../ride/abi/callable-abi.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import { callArgumentValue } from "../../../ride/objects/call-arguments.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { EthereumCall } from "../../../ride/results/call-record.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import type { TransactionEffect } from "../effect.ts";
import { invoked } from "./invoke-script.ts";
import { maxInvokeBytes } from "./limits.ts";
import { runPaidAssetScripts } from "./paid-asset-scripts.ts";
import { checkPaidAssets } from "./payment-checks.ts";

type InvocationPayload = Extract<EthereumPayload, { kind: "invocation" }>;

/** @throws RuleError generic, callDataUnreadable, paymentNotPositive */
export function ethereumCallOf({ dApp, data }: InvocationPayload, view: StateView): EthereumCall {
  const refuse = (message: string): never => {
    throw new RuleError({ code: "generic", message });
  };
  const account = view.findAccountScript(dApp) ?? refuse(`No script at address ${addressText(dApp)}`);
  if (data.length < SELECTOR_BYTES) {
    const message = `begin 0, end ${2 * SELECTOR_BYTES}, length ${2 * data.length}`;
    throw new RuleError({ code: "callDataUnreadable", message });
  }
  const selector = data.subarray(0, SELECTOR_BYTES);
  const abi =
    findCallableAbi(cachedScript(account.script), selector) ??
    refuse(`Function not defined: ${hexText(selector).slice(2)}`);
  const decoded = decoding(() => decodeCallData(abi, data));
  const isStrict = view.has(Feature.BlockRewardDistribution);
  if (isStrict && decoded.canonicalBytes !== data.length - SELECTOR_BYTES) {
    refuse("Redundant bytes were found in Ethereum Invoke");
  }
  const call = { function: abi.name, args: decoded.args };
  const { payments } = decoded;
  const sizeBytes = invokeDataBytes({ dApp: { kind: "address", address: dApp }, call, payments }).length;
  if (isStrict && sizeBytes > maxInvokeBytes) {
    refuse(`Ethereum Invoke bytes length exceeds limit = ${maxInvokeBytes}`);
  }
  if (view.height >= view.settings.functionality.ethInvokePaymentsCheckHeight) {
    const invalidPayment = payments.find(({ amount }) => amount <= 0n);
    if (invalidPayment !== undefined) throw new RuleError({ code: "paymentNotPositive", ...invalidPayment });
  }
  return { call, payments };
}

/** Call of the transaction, if it has one with valid call data. */
export function findEthereumCall(transaction: EthereumTransaction, view: StateView): EthereumCall | undefined {
  const payload = ethereumPayload(transaction);
  if (payload.kind !== "invocation") return undefined;
  try {
    return ethereumCallOf(payload, view);
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

function decoding<Result>(decode: () => Result): Result {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof CallDataError || error instanceof CallValueError)) throw error;
    const code = error instanceof CallDataError ? "callDataUnreadable" : "generic";
    throw new RuleError({ code, message: error.message }, { cause: error });
  }
}

/** @throws FailedTransaction, RuleError */
export function applyEthereumCall(
  transaction: EthereumTransaction,
  payload: InvocationPayload,
  view: StateView,
  context: BlockContext,
): TransactionEffect {
  const { call, payments } = ethereumCallOf(payload, view);
  checkPaidAssets(payments, view);
  const { fee, sender, senderKey } = transaction;
  const invoke: ScriptInvoke = {
    get id() {
      return transaction.id;
    },
    get timestamp() {
      return transaction.timestamp;
    },
    fee,
    version: 0,
    sender,
    senderPublicKey: senderKey,
    bodyBytes: new Uint8Array(0),
    proofs: [],
    dApp: { kind: "address", address: payload.dApp },
    feeAsset: null,
    function: call.function,
    args: call.args.map(callArgumentValue),
    payments,
  };
  const effect = invoked(invoke, view, context);
  const { spentComplexity = 0 } = effect;
  const complexity = runPaidAssetScripts(invoke, "unknown", { view, context, spent: spentComplexity });
  return { ...effect, spentComplexity: spentComplexity + complexity, ethereumCall: { call, payments } };
}

/**
 * Environment of a callable: the state for scripts, with the changes of the nested calls so far, and a way to make
 * further ones.
 * @source Waves: transaction/smart/WavesEnvironment.scala (DAppEnvironment)
 */
import { addressText } from "../../../crypto/address.ts";
import { addressErrorText } from "../../../crypto/address-error-text.ts";
import { bytesKey, equalBytes } from "../../../crypto/bytes.ts";
import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { mergeSnapshots } from "../../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import { CallFailure } from "../../../ride/call-failure.ts";
import type { DAppCall, DAppCallResult } from "../../../ride/evaluator/environment.ts";
import { callLog } from "../../../ride/results/call-log.ts";
import { type CallResult, emptyCallResult, type InvokedCall } from "../../../ride/results/call-result.ts";
import { OverlayView } from "../../state/overlay-view.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import { knownAddress } from "../scripts/known-address.ts";
import { StateEnvironment } from "../scripts/state-environment.ts";
import type { CallContext } from "./call-context.ts";
import type { CallDApp, CallRequest } from "./call-request.ts";
import type { Callee } from "./callee.ts";
import { checkIntermediateBalances } from "./intermediate-balances.ts";
import type { Call } from "./invocation.ts";
import type { CallAllowance } from "./limits.ts";
import { causeText, isCallError } from "./refusal-text.ts";

export interface DAppEnvironmentOptions {
  /** The call that runs the callable. */
  readonly request: CallRequest;
  readonly callee: Callee;
  readonly context: CallContext;
  /** Changes of the call's payments, if the callable sees them. */
  readonly payments: Snapshot;
  /** Allowance for nested calls. */
  readonly allowance: CallAllowance;
  /** Makes nested calls. */
  readonly callDApp: CallDApp;
}

export class DAppEnvironment extends StateEnvironment {
  readonly #options: DAppEnvironmentOptions;
  readonly #overlay: OverlayView;
  readonly #snapshots: Snapshot[];
  readonly #invokes: InvokedCall[] = [];
  #allowance: CallAllowance;

  constructor(options: DAppEnvironmentOptions) {
    const { request, callee, context, payments, allowance } = options;
    const { call, view } = request;
    const overlay = new OverlayView(view, { height: view.height });
    overlay.apply(payments);
    super({
      view,
      currentView: () => overlay,
      owner: { kind: "account", address: call.dApp },
      transactionId: () => context.root.id,
      libraryVersion: callee.libraryVersion,
    });
    this.#options = options;
    this.#overlay = overlay;
    this.#snapshots = [payments];
    this.#allowance = allowance;
  }

  /** Remaining allowance after the calls so far. */
  get allowance(): CallAllowance {
    return this.#allowance;
  }

  /** All changes since the call began. */
  currentSnapshot(): Snapshot {
    return mergeSnapshots(...this.#snapshots);
  }

  /** Result with the nested calls. */
  currentResult(): CallResult {
    return { ...emptyCallResult, invokes: [...this.#invokes] };
  }

  /** @throws CallFailure */
  callDApp(nestedCall: DAppCall): DAppCallResult {
    try {
      return this.#call(nestedCall);
    } catch (error) {
      if (!isCallError(error)) throw error;
      const { availableComplexity } = nestedCall;
      const spent = error instanceof FailedTransaction ? error.info.spentComplexity : 0;
      const message =
        error instanceof RuleError || error instanceof FailedTransaction ? causeText(error) : error.message;
      const failedCall =
        error instanceof FailedTransaction
          ? { text: error.logHeading, log: error.info.log ?? [], error: error.info.error ?? null }
          : undefined;
      throw new CallFailure(message, availableComplexity - spent, { cause: error, failedCall });
    }
  }

  #call(nestedCall: DAppCall) {
    const { request, callee, context } = this.#options;
    const { call: own, view, calledAddresses, tracker } = request;
    const { args, availableComplexity, isReentrant } = nestedCall;
    const address = this.#calleeAddress(nestedCall.dApp);
    const payments = nestedCall.payments.map(({ assetId, amount }) => ({ asset: assetId as AssetId | null, amount }));
    const tracked = { dApp: address, function: nestedCall.function, args, payments };
    const call: Call = { root: context.root, sender: own.dApp, senderKey: callee.account.publicKey, ...tracked };
    const completed = this.#options.callDApp({
      call,
      context,
      view: this.#overlay,
      availableComplexity,
      allowance: this.#allowance,
      calledAddresses: isReentrant ? calledAddresses : new Set([...calledAddresses, bytesKey(own.dApp)]),
      tracker: tracker.record(tracked),
    });
    if (view.has(Feature.LightNode)) {
      const spent = context.totalComplexityLimit - availableComplexity;
      checkIntermediateBalances(completed.snapshot, view, spent, []);
    }
    this.#overlay.apply(completed.snapshot);
    this.#snapshots.push(completed.snapshot);
    this.#invokes.push({ ...tracked, result: completed.result });
    // Calls count for nested ones, not for later ones.
    this.#allowance = { ...completed.allowance, calls: this.#allowance.calls - 1 };
    const { value, complexity, result } = completed;
    const log = context.isLogged ? callLog(nestedCall.function, result, complexity, availableComplexity) : [];
    return { value, spentComplexity: complexity, log };
  }

  /** @throws RuleError callAddressInvalid; generic: another dApp was called in between */
  #calleeAddress(bytes: Uint8Array): Address {
    const { view, calledAddresses, call } = this.#options.request;
    const address = knownAddress(bytes, view, { takesAny: false, matters: true });
    if (!(address instanceof Uint8Array)) {
      throw new RuleError({ code: "callAddressInvalid", reason: addressErrorText(address) });
    }
    if (equalBytes(address, call.dApp) || !calledAddresses.has(bytesKey(address))) return address;
    const message = `The invocation stack contains multiple invocations of the dApp at address ${addressText(address)} with invocations of another dApp between them`;
    throw new RuleError({ code: "generic", message });
  }
}

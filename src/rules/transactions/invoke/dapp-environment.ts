/**
 * The environment of a callable: the state as scripts see it, with what the calls made from here have changed so far, and
 * the way to make further ones.
 * @source Waves: transaction/smart/WavesEnvironment.scala (DAppEnvironment)
 */
import { addressText } from "../../../crypto/address.ts";
import { addressFaultText } from "../../../crypto/address-fault-text.ts";
import { bytesKey, equalBytes } from "../../../crypto/bytes.ts";
import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/faults.ts";
import { mergeSnapshots } from "../../../protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import { CallFailure } from "../../../ride/call-failure.ts";
import type { DAppAnswer, DAppCall } from "../../../ride/evaluator/environment.ts";
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

export interface DAppEnvironmentFacts {
  /** The call that the callable answers. */
  readonly request: CallRequest;
  readonly callee: Callee;
  readonly context: CallContext;
  /** What the call's payments changed, where the callable sees that. */
  readonly payments: Snapshot;
  /** For the calls made from here. */
  readonly allowance: CallAllowance;
  /** Makes them. */
  readonly callDApp: CallDApp;
}

export class DAppEnvironment extends StateEnvironment {
  readonly #facts: DAppEnvironmentFacts;
  readonly #overlay: OverlayView;
  readonly #snapshots: Snapshot[];
  readonly #invokes: InvokedCall[] = [];
  #allowance: CallAllowance;

  constructor(facts: DAppEnvironmentFacts) {
    const { request, callee, context, payments, allowance } = facts;
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
    this.#facts = facts;
    this.#overlay = overlay;
    this.#snapshots = [payments];
    this.#allowance = allowance;
  }

  /** What the calls so far have left. */
  get allowance(): CallAllowance {
    return this.#allowance;
  }

  /** Everything that changed since the call began. */
  currentSnapshot(): Snapshot {
    return mergeSnapshots(...this.#snapshots);
  }

  /** The calls made from here. */
  currentResult(): CallResult {
    return { ...emptyCallResult, invokes: [...this.#invokes] };
  }

  /** @throws CallFailure */
  callDApp(asked: DAppCall): DAppAnswer {
    try {
      return this.#call(asked);
    } catch (error) {
      if (!isCallError(error)) throw error;
      const { availableComplexity } = asked;
      const spent = error instanceof FailedTransaction ? error.facts.spentComplexity : 0;
      const message =
        error instanceof RuleError || error instanceof FailedTransaction ? causeText(error) : error.message;
      const failedCall =
        error instanceof FailedTransaction
          ? { text: error.logHeading, log: error.facts.log ?? [], error: error.facts.error ?? null }
          : undefined;
      throw new CallFailure(message, availableComplexity - spent, { cause: error, failedCall });
    }
  }

  #call(asked: DAppCall) {
    const { request, callee, context } = this.#facts;
    const { call: own, view, calledAddresses, tracker } = request;
    const { args, availableComplexity, isReentrant } = asked;
    const address = this.#calleeAddress(asked.dApp);
    const payments = asked.payments.map(({ assetId, amount }) => ({ asset: assetId as AssetId | null, amount }));
    const tracked = { dApp: address, function: asked.function, args, payments };
    const call: Call = { root: context.root, sender: own.dApp, senderKey: callee.account.publicKey, ...tracked };
    const outcome = this.#facts.callDApp({
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
      checkIntermediateBalances(outcome.snapshot, view, spent, []);
    }
    this.#overlay.apply(outcome.snapshot);
    this.#snapshots.push(outcome.snapshot);
    this.#invokes.push({ ...tracked, result: outcome.result });
    // Calls count for those below them, not for those that come after.
    this.#allowance = { ...outcome.allowance, calls: this.#allowance.calls - 1 };
    const { value, complexity, result } = outcome;
    const log = context.isLogged ? callLog(asked.function, result, complexity, availableComplexity) : [];
    return { value, spentComplexity: complexity, log };
  }

  /** @throws RuleError callAddressInvalid; generic: another dApp was called in between */
  #calleeAddress(bytes: Uint8Array): Address {
    const { view, calledAddresses, call } = this.#facts.request;
    const address = knownAddress(bytes, view, { takesAny: false, matters: true });
    if (!(address instanceof Uint8Array)) {
      throw new RuleError({ code: "callAddressInvalid", reason: addressFaultText(address) });
    }
    if (equalBytes(address, call.dApp) || !calledAddresses.has(bytesKey(address))) return address;
    const message = `The invocation stack contains multiple invocations of the dApp at address ${addressText(address)} with invocations of another dApp between them`;
    throw new RuleError({ code: "generic", message });
  }
}

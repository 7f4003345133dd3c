/**
 * The environment of a callable: the state as scripts see it, with what the calls made from here have changed so far, and
 * the way to make further ones.
 * @source Waves: transaction/smart/WavesEnvironment.scala (DAppEnvironment)
 */
import { addressText, parseAddressBytes } from "../../../crypto/address.ts";
import { addressFaultText } from "../../../crypto/address-fault-text.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../../crypto/bytes.ts";
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
import type { StateView } from "../../state/state-view.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import { StateEnvironment } from "../scripts/state-environment.ts";
import type { CallContext } from "./call-context.ts";
import type { CallTracker } from "./call-tracker.ts";
import type { CallDApp } from "./dapp-call.ts";
import { checkIntermediateBalances } from "./intermediate-balances.ts";
import type { Call } from "./invocation.ts";
import type { ActionAllowance } from "./limits.ts";
import { causeText, isCallError } from "./refusal-text.ts";

export interface DAppEnvironmentFacts {
  readonly context: CallContext;
  /** The state in which the call began, without its payments. */
  readonly view: StateView;
  /** What the call's payments changed, where the callable sees that. */
  readonly payments: Snapshot;
  readonly dApp: Address;
  readonly dAppKey: Uint8Array;
  readonly libraryVersion: number;
  readonly allowance: ActionAllowance;
  readonly remainingCalls: number;
  readonly remainingPayments: number;
  /** dApps that must not be called from here. */
  readonly calledAddresses: ReadonlySet<BytesKey>;
  readonly tracker: CallTracker;
  /** Makes the calls. */
  readonly callDApp: CallDApp;
}

export class DAppEnvironment extends StateEnvironment {
  readonly #facts: DAppEnvironmentFacts;
  readonly #overlay: OverlayView;
  readonly #snapshots: Snapshot[];
  readonly #invokes: InvokedCall[] = [];
  #remainingCalls: number;
  allowance: ActionAllowance;
  remainingPayments: number;

  constructor(facts: DAppEnvironmentFacts) {
    const overlay = new OverlayView(facts.view, { height: facts.view.height });
    overlay.apply(facts.payments);
    super({
      view: facts.view,
      currentView: () => overlay,
      owner: { kind: "account", address: facts.dApp },
      transactionId: facts.context.root.id,
      libraryVersion: facts.libraryVersion,
    });
    this.#facts = facts;
    this.#overlay = overlay;
    this.#snapshots = [facts.payments];
    this.#remainingCalls = facts.remainingCalls;
    this.allowance = facts.allowance;
    this.remainingPayments = facts.remainingPayments;
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
  callDApp(request: DAppCall): DAppAnswer {
    try {
      return this.#call(request);
    } catch (error) {
      if (!isCallError(error)) throw error;
      const { availableComplexity } = request;
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

  #call(request: DAppCall) {
    const { context, view, dApp, dAppKey, calledAddresses, tracker } = this.#facts;
    const { args, availableComplexity, isReentrant } = request;
    const address = this.#callee(request.dApp);
    const payments = request.payments.map(({ assetId, amount }) => ({ asset: assetId as AssetId | null, amount }));
    const tracked = { dApp: address, function: request.function, args, payments };
    const call: Call = { root: context.root, sender: dApp, senderKey: dAppKey, ...tracked };
    const outcome = this.#facts.callDApp({
      call,
      context,
      view: this.#overlay,
      availableComplexity,
      remainingCalls: this.#remainingCalls,
      allowance: this.allowance,
      remainingPayments: this.remainingPayments,
      calledAddresses: isReentrant ? calledAddresses : new Set([...calledAddresses, bytesKey(dApp)]),
      tracker: tracker.record(tracked),
    });
    if (view.has(Feature.LightNode)) {
      const spent = context.totalComplexityLimit - availableComplexity;
      checkIntermediateBalances(outcome.snapshot, view, spent, []);
    }
    this.#overlay.apply(outcome.snapshot);
    this.#snapshots.push(outcome.snapshot);
    this.#invokes.push({ ...tracked, result: outcome.result });
    this.#remainingCalls--;
    this.allowance = outcome.allowance;
    this.remainingPayments = outcome.remainingPayments;
    const { value, complexity, result } = outcome;
    const log = context.isLogged ? callLog(request.function, result, complexity, availableComplexity) : [];
    return { value, spentComplexity: complexity, log };
  }

  /** @throws RuleError callAddressInvalid; generic: another dApp was called in between */
  #callee(bytes: Uint8Array): Address {
    const { view, dApp, calledAddresses } = this.#facts;
    const address = parseAddressBytes(bytes, view.settings.chainId);
    if (!(address instanceof Uint8Array)) {
      throw new RuleError({ code: "callAddressInvalid", reason: addressFaultText(address) });
    }
    if (equalBytes(address, dApp) || !calledAddresses.has(bytesKey(address))) return address;
    const message = `The invocation stack contains multiple invocations of the dApp at address ${addressText(address)} with invocations of another dApp between them`;
    throw new RuleError({ code: "generic", message });
  }
}

/**
 * Verdict of an asset's script on a transaction, an action of a dApp, or the payment of a call.
 * @source Waves: transaction/smart/Verifier.scala (assets); state/diffs/invoke/InvokeDiffsCommon.scala
 *   (validatePseudoTxWithSmartAssetScript), InvokeScriptDiff.scala
 */
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { AssetDescription, StateView } from "../../state/state-view.ts";
import { FailedTransaction, type FailureCause } from "../failed-transaction.ts";
import type { VerifiedEntity } from "./run-verifier.ts";
import { type ScriptRefusal, type Verdict, verdictOf } from "./verdict.ts";

export type AssetScript = NonNullable<AssetDescription["script"]>;

export interface AssetScriptRequest {
  readonly assetId: AssetId;
  readonly script: AssetScript;
  /** Apparent owner of the script, if it is not the asset. */
  readonly owner?: AssetId;
  readonly entity: VerifiedEntity;
  readonly view: StateView;
  /** A script beyond this limit counts as true. Undefined: its own limit, beyond which it fails. */
  readonly complexityLimit: number | undefined;
  readonly isLogged: boolean;
}

export function runAssetScript({ assetId, script, owner = assetId, ...options }: AssetScriptRequest): Verdict {
  const request = { ...options, script: script.script, owner: { kind: "asset", assetId: owner } } as const;
  return verdictOf(request, script.complexity);
}

/** Refusal by the script of an asset. */
export interface AssetRefusal {
  readonly assetId: AssetId;
  readonly refusal: ScriptRefusal;
}

export type AssetScriptSubject = "transaction" | "action" | "payment";

/** Error codes for clients depend on the subject; for payments by dApps also on the kind of refusal. */
const causes = {
  transaction: { no: "assetScript", failed: "assetScript", notBoolean: "assetScript" },
  action: { no: "assetScriptInAction", failed: "assetScriptInAction", notBoolean: "assetScriptInAction" },
  payment: { no: "assetScript", failed: "assetScriptInAction", notBoolean: "assetScript" },
} as const satisfies Record<AssetScriptSubject, Record<ScriptRefusal["kind"], FailureCause>>;

/** Failure of a transaction that may fail, from a refusal. @param spentComplexity of all scripts */
export function assetFailure(
  { assetId, refusal }: AssetRefusal,
  subject: AssetScriptSubject,
  spentComplexity: number,
): FailedTransaction {
  const { kind, error, log } = refusal;
  return new FailedTransaction({
    cause: causes[subject][kind],
    spentComplexity,
    error: error ?? undefined,
    assetId,
    log,
  });
}

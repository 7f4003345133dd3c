/**
 * What the script of an asset says to a transaction, to an action of a dApp, to the payment of a call.
 * @source Waves: transaction/smart/Verifier.scala (assets); state/diffs/invoke/InvokeDiffsCommon.scala
 *   (validatePseudoTxWithSmartAssetScript), InvokeScriptDiff.scala
 */
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { AssetDescription, StateView } from "../../state/state-view.ts";
import { FailedTransaction, type FailureCause } from "../failed-transaction.ts";
import type { VerifiedEntity } from "./run-verifier.ts";
import { type ScriptRefusal, type Verdict, verdictOf } from "./verdict.ts";

export type AssetScript = NonNullable<AssetDescription["script"]>;

export interface AssetQuestion {
  readonly assetId: AssetId;
  readonly script: AssetScript;
  /** What the script is told to belong to, where that is not the asset. */
  readonly owner?: AssetId;
  readonly entity: VerifiedEntity;
  readonly view: StateView;
  /** A script that passes it is taken to say yes. Undefined: its own limit, which it must not pass. */
  readonly complexityLimit: number | undefined;
  readonly isLogged: boolean;
}

export function askAsset({ assetId, script, owner = assetId, ...question }: AssetQuestion): Verdict {
  const request = { ...question, script: script.script, owner: { kind: "asset", assetId: owner } } as const;
  return verdictOf(request, script.complexity);
}

/** A script of an asset that did not say yes. */
export interface AssetRefusal {
  readonly assetId: AssetId;
  readonly refusal: ScriptRefusal;
}

export type AskedAbout = "transaction" | "action" | "payment";

/** The numbers that clients see tell apart who asked; of payments that dApps make, also how the script refused. */
const causes = {
  transaction: { no: "assetScript", failed: "assetScript", notBoolean: "assetScript" },
  action: { no: "assetScriptInAction", failed: "assetScriptInAction", notBoolean: "assetScriptInAction" },
  payment: { no: "assetScript", failed: "assetScriptInAction", notBoolean: "assetScript" },
} as const satisfies Record<AskedAbout, Record<ScriptRefusal["kind"], FailureCause>>;

/** The refusal as what makes a transaction fail that may. @param spentComplexity of all scripts */
export function assetFailure(
  { assetId, refusal }: AssetRefusal,
  about: AskedAbout,
  spentComplexity: number,
): FailedTransaction {
  const { kind, error, log } = refusal;
  return new FailedTransaction({
    cause: causes[about][kind],
    spentComplexity,
    error: error ?? undefined,
    assetId,
    log,
  });
}

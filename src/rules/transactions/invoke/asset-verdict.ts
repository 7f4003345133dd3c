/**
 * What the script of an asset says to an action or to the payment of a call.
 * @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (validatePseudoTxWithSmartAssetScript),
 *   InvokeScriptDiff.scala
 */
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import { ExecutionError } from "../../../ride/execution-error.ts";
import { valueText } from "../../../ride/values/value-text.ts";
import type { AssetDescription, StateView } from "../../state/state-view.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import { countsSpentComplexity } from "../scripts/evaluation-rules.ts";
import { runVerifier } from "../scripts/run-verifier.ts";
import type { PseudoTransaction } from "./pseudo-transactions.ts";

export interface AssetQuestion {
  readonly assetId: AssetId;
  /** What the script is told to belong to. */
  readonly owner: AssetId;
  readonly script: NonNullable<AssetDescription["script"]>;
  readonly input: PseudoTransaction;
  readonly view: StateView;
  readonly transactionId: Uint8Array;
  /** A script that passes it is taken to say yes. */
  readonly complexityLimit: number | undefined;
  readonly isLogged: boolean;
}

/** Of actions, refusals and errors are failures of one kind; of payments, only errors are of that kind. */
export type AskedAbout = "action" | "payment";

/**
 * @param spentBefore what is added to the complexity of a failure
 * @returns complexity of the script
 * @throws FailedTransaction the script says no, or does not come to an answer
 */
export function askAsset(question: AssetQuestion, about: AskedAbout, spentBefore = 0): number {
  const { assetId, owner, script, input, view, transactionId, complexityLimit, isLogged } = question;
  const { result, spentComplexity, log } = runVerifier({
    view,
    script: script.script,
    owner: { kind: "asset", assetId: owner },
    entity: { kind: "action", transactionId, show: input },
    complexityLimit,
    isLogged,
  });
  const complexity = countsSpentComplexity(view) ? spentComplexity : Number(script.complexity);
  if (result === true) return complexity;
  const facts = { spentComplexity: spentBefore + complexity, log, assetId };
  if (result instanceof ExecutionError) {
    throw new FailedTransaction({ ...facts, cause: "assetScriptInAction", error: result.message });
  }
  const cause = about === "action" ? "assetScriptInAction" : "assetScript";
  if (result === false) throw new FailedTransaction({ ...facts, cause });
  const error = `Script returned not a boolean result, but ${valueText(result)}`;
  throw new FailedTransaction({ ...facts, cause, error });
}

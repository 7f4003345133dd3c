/** Scripts of the assets with which an account pays a call. They run after the call. */
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { runScriptsInOrder } from "../checks/asset-scripts.ts";
import { hasAssetScript } from "../checks/assets.ts";
import { assetFailure } from "../scripts/asset-verdict.ts";
import type { AssetRole } from "../scripts/trace.ts";
import { paidAssetIds } from "./invocation.ts";

interface PaidAssetsOptions {
  readonly view: StateView;
  readonly context: Pick<BlockContext, "trace">;
  /** Complexity of the scripts that ran before. */
  readonly spent: number;
}

/**
 * @param role of the assets in traces
 * @returns complexity that their scripts spent
 * @throws FailedTransaction
 */
export function runPaidAssetScripts(
  invoke: ScriptInvoke,
  role: AssetRole,
  { view, context, spent }: PaidAssetsOptions,
): number {
  const assets = paidAssetIds(invoke).filter((asset) => hasAssetScript(asset, view));
  const paidAssets = assets.map((assetId) => ({ assetId, role }));
  const { complexity, refused } = runScriptsInOrder(paidAssets, { kind: "invoke", invoke }, view, context, undefined);
  if (refused !== undefined) throw assetFailure(refused, "transaction", spent + complexity);
  return complexity;
}
